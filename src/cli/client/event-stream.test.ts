import { expect, it } from "vitest";
import { parseEvents } from "./event-stream.ts";

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? new TextEncoder().encode(part) : part;
}

async function positions(stream: AsyncIterable<Uint8Array>): Promise<readonly unknown[]> {
  const out: unknown[] = [];
  for await (const { data } of parseEvents(stream)) {
    const event = data as { readonly text?: string; readonly position: number };
    out.push(event.text ?? event.position);
  }
  return out;
}

it("parses events whatever chunks they arrive in", async () => {
  const text = 'id: 1\ndata: {"position":1}\n\n: still here\n\nid: 2\ndata: {"position":2}\n\n';
  expect(await positions(chunks(text))).toEqual([1, 2]);
  expect(await positions(chunks(...text))).toEqual([1, 2]);
});

it("drops an incomplete event", async () => {
  expect(await positions(chunks('data: {"position":1}\n\ndata: {"posi'))).toEqual([1]);
});

it("keeps a character that is split across chunks", async () => {
  const bytes = new TextEncoder().encode('data: {"position":1,"text":"ü"}\n\n');
  const middle = bytes.indexOf(0xc3) + 1;
  expect(await positions(chunks(bytes.subarray(0, middle), bytes.subarray(middle)))).toEqual(["ü"]);
});

it("parses the id and kind of a message", async () => {
  const messages = [];
  for await (const message of parseEvents(chunks("event: fleet\ndata: {}\n\nid: 7-ab\nevent: session\ndata: {}\n\n"))) {
    messages.push([message.id, message.event]);
  }
  expect(messages).toEqual([
    [null, "fleet"],
    ["7-ab", "session"],
  ]);
});
