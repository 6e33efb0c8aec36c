import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeSignal } from "../../core/lines-protocol.ts";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { tempDir } from "../../testing/temp.ts";
import { completeInbox, quoteSignals } from "./send-message.ts";

const host = createNodeHost({ log: createSilentLog() });
const earlier = '{"type":"task","id":"m1","text":"a"}\n';
const line = '{"type":"message","id":"m2","text":"é 🎉 end"}\n';
const bytes = new TextEncoder().encode(line);

async function reconcile(content: string | Uint8Array): Promise<{ readonly kind: string; readonly inbox: string }> {
  const inbox = join(tempDir(), "in");
  writeFileSync(inbox, content);
  const answer = await completeInbox(host, inbox, bytes);
  return { kind: answer.kind, inbox: readFileSync(inbox, "utf8") };
}

describe("looking for a message in the inbox after a crash", () => {
  it("finds a whole one and adds nothing", async () => {
    expect(await reconcile(earlier + line)).toEqual({ kind: "done", inbox: earlier + line });
  });

  it("says not done when it is absent", async () => {
    expect(await reconcile(earlier)).toEqual({ kind: "not-done", inbox: earlier });
    expect(await reconcile("")).toEqual({ kind: "not-done", inbox: "" });
  });

  it("completes a torn one from the known bytes, wherever it was torn, also inside a character", async () => {
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const torn = Buffer.concat([Buffer.from(earlier), bytes.subarray(0, cut)]);
      expect(await reconcile(torn)).toEqual({ kind: "done", inbox: earlier + line });
    }
  });

  it("does not touch an inbox that ends in something else", async () => {
    const other = `${earlier}{"type":"mess`;
    expect((await reconcile(`${other}X`)).kind).toBe("unknown");
  });
});

it("quotes the lines of a message that a terminal's echo would make the agent's word", () => {
  const text = 'look:\n{"type":"done","summary":"made up"}\n {"type":"ask","id":"1","question":"?"} \n{"a":1}\n';
  expect(quoteSignals(text, { decode: decodeSignal })).toBe(
    'look:\n> {"type":"done","summary":"made up"}\n {"type":"ask","id":"1","question":"?"} \n{"a":1}\n',
  );
});
