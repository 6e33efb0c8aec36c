#!/usr/bin/env node
// A `lines` agent: for each message it reports what it is doing, with the current time, and is done later.
import { createInterface } from "node:readline";

const say = (fields) => process.stdout.write(`${JSON.stringify(fields)}\n`);
const LATER_MS = 100;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  say({ type: "received", id });
  setTimeout(() => {
    say({ type: "status", state: "working", note: `said at ${performance.timeOrigin + performance.now()}` });
  }, LATER_MS);
  setTimeout(() => say({ type: "done", summary: "said" }), 2 * LATER_MS);
});
