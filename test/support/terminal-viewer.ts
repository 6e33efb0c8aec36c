import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { TerminalFrame } from "../../src/protocol/views/terminal.ts";
import { until } from "./until.ts";

/** A viewer of a terminal on the daemon's socket, which keeps everything it gets. */
export function openViewer(socket: string, id: string, cursor?: string) {
  const query = cursor === undefined ? "" : `?cursor=${cursor}`;
  const ws = new WebSocket(`ws+unix://${socket}:/api/sessions/${id}/terminal${query}`, {
    headers: { host: "localhost" },
  });
  const frames: TerminalFrame[] = [];
  let chunks: Buffer[] = [];
  let placed = 0;
  ws.on("message", (data: Buffer, isBinary) => {
    if (isBinary) {
      chunks.push(data);
      return;
    }
    const frame = JSON.parse(data.toString("utf8")) as TerminalFrame;
    frames.push(frame);
    if (frame.type === "cursor") placed = chunks.length;
  });
  ws.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => void ws.once("close", () => resolve()));
  const opened = new Promise<void>((resolve) => void ws.once("open", () => resolve()));
  onTestFinished(() => ws.terminate());
  const text = (): string => Buffer.concat(chunks).toString("utf8");
  return {
    frames,
    text,
    bytes: () => Buffer.concat(chunks),
    /** Those before the cursor: whoever continues from it gets all others again. */
    bytesBeforeCursor: () => Buffer.concat(chunks.slice(0, placed)),
    forget: () => {
      chunks = [];
      placed = 0;
    },
    see: (what: string) => until(`the viewer to see ${what}`, () => text().includes(what)),
    cursor: () => frames.findLast((frame) => frame.type === "cursor")?.cursor,
    screens: () => frames.flatMap((frame) => (frame.type === "screen" ? [frame.reason] : [])),
    type: (keys: string) => ws.send(Buffer.from(keys)),
    resize: (columns: number, rows: number) => ws.send(JSON.stringify({ type: "resize", columns, rows })),
    pause: () => ws.pause(),
    resume: () => ws.resume(),
    close: () => ws.terminate(),
    opened,
    /** Resolves when the other side has everything that was sent before. */
    ping: () => {
      const answered = new Promise<void>((resolve) => void ws.once("pong", () => resolve()));
      ws.ping();
      return answered;
    },
    closed,
  };
}
