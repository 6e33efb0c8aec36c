import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createApi } from "./api.ts";
import { followEvents } from "./stream.ts";

/** A server whose events the test sends, connection by connection. */
async function startEvents(): Promise<{ readonly url: string; readonly open: ServerResponse[]; close(): void }> {
  const open: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"type":"server.connected"}\n\n');
    open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, close };
}

it("receives events across broken connections, reports gaps, and reports when the server is lost", async () => {
  const { url, open, close } = await startEvents();
  const heard: unknown[] = [];
  const stream = followEvents({
    api: createApi({ url, password: "pw" }),
    onEvent: (event) => void heard.push((event as { readonly type: string }).type),
    onGap: () => void heard.push("gap"),
    onLost: () => void heard.push("lost"),
  });
  await stream.connected;
  open[0]?.write(`data: {"type":"one","text":"${"ä".repeat(300_000)}"}\n\n`);
  await eventually(async () => expect(heard).toEqual(["server.connected", "one"]));
  open[0]?.destroy();
  await eventually(async () => expect(open).toHaveLength(2));
  open[1]?.write('data: {"type":"two"}\n\n');
  await eventually(async () => expect(heard.slice(2)).toEqual(["gap", "server.connected", "two"]));
  close();
  await eventually(async () => expect(heard.slice(5)).toEqual(["lost"]));
});

it("reports nothing after it is stopped", async () => {
  const { url, open } = await startEvents();
  const heard: string[] = [];
  const stream = followEvents({
    api: createApi({ url, password: "pw" }),
    onEvent: () => void heard.push("event"),
    onGap: () => void heard.push("gap"),
    onLost: () => void heard.push("lost"),
  });
  await stream.connected;
  const closed = new Promise((resolve) => open[0]?.on("close", resolve));
  stream.stop();
  await closed;
  expect(heard).toEqual(["event"]);
});
