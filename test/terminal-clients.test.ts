import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EngineView } from "../src/server/actions.ts";
import { createTerminalSockets } from "../src/server/terminal/terminal-sockets.ts";
import type { TerminalRun } from "../src/server/terminal/terminal-sources.ts";
import { aSession, aWorld } from "../src/testing/builders.ts";
import { tempDir } from "../src/testing/temp.ts";
import { openViewer } from "./support/terminal-viewer.ts";
import { until } from "./support/until.ts";

const MB = 1024 * 1024;

/** The terminal sockets of one session that prints, on a real socket. */
async function serveTerminal(connect: TerminalRun["connect"] = null) {
  let log = Buffer.from("begin\n");
  let wake = (): void => undefined;
  let bytesRead = 0;
  const world = aWorld({ sessions: [aSession({ id: "demo-1" })] });
  const sockets = createTerminalSockets({
    engine: { world, subscribe: () => () => undefined } as unknown as EngineView,
    rules: () => ({ allowedHosts: ["localhost"], principalOf: () => null, isBrowser: () => false }),
    audit: { record: () => undefined },
    log: { error: () => undefined } as never,
    sources: {
      currentRun: async () => ({ run: 1, isAlive: true, folder: "/run", file: "/run/out", connect }),
      fs: {
        stat: async () => ({ kind: "file", size: log.length, mtimeMs: 0, mode: 0 }),
        readBytes: async (_, from, most) => {
          const bytes = log.subarray(from, from + most);
          bytesRead += bytes.length;
          return bytes;
        },
        watch: (_, onChange) => {
          wake = () => onChange(null);
          return () => undefined;
        },
      },
    },
  });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, { head, transport: "socket" }));
  const path = join(tempDir(), "ao.sock");
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => {
    sockets.close();
    server.close();
  });
  return {
    path,
    bytesRead: () => bytesRead,
    print: (text: string) => {
      log = Buffer.concat([log, Buffer.from(text)]);
      wake();
    },
  };
}

describe("terminal viewers that never read", () => {
  it("get only what their connection can hold, and continue with a fresh screen when they finally read", async () => {
    const terminal = await serveTerminal();
    const stuck = Array.from({ length: 20 }, () => openViewer(terminal.path, "demo-1"));
    const reader = openViewer(terminal.path, "demo-1");
    for (const viewer of [...stuck, reader]) await viewer.see("begin");
    for (const viewer of stuck) viewer.pause();
    for (let n = 1; n <= 4; n += 1) {
      terminal.print(`${"x".repeat(900_000)}\npart ${n}\n`);
      await reader.see(`part ${n}`);
    }
    // The reader has read everything; the others would have read 3.6 MB each, 72 MB in all.
    expect((terminal.bytesRead() - reader.bytes().length) / MB).toBeLessThan(20);
    const [late] = stuck;
    late?.resume();
    await until("the late one to be up to date", () => late?.text().endsWith("part 4\n"));
    expect(late?.screens()).toContain("behind");
    expect(late?.bytes().length).toBeLessThan(2 * MB);
  });
});

it("keeps the size and the keys that a viewer sends before its terminal answers", async () => {
  const got: string[] = [];
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const terminal = await serveTerminal(async () => {
    await asked;
    return {
      screen: async () => ({ size: { columns: 80, rows: 24 }, drawing: "" }),
      resize: ({ columns, rows }) => void got.push(`${columns}x${rows}`),
      press: async (bytes) => void got.push(Buffer.from(bytes).toString()),
      close: () => undefined,
    };
  });
  const viewer = openViewer(terminal.path, "demo-1");
  await viewer.opened;
  viewer.resize(100, 30);
  viewer.type("y");
  // Both have arrived once the daemon answers what was sent after them.
  await viewer.ping();
  answer();
  await until("both", () => got.length >= 2);
  expect(got).toEqual(["100x30", "y"]);
});
