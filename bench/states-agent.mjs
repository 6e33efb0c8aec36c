#!/usr/bin/env node
// A `lines` agent: for the message "say" it reports what it is doing, with the current time; any other ends the turn.
import { createInterface } from "node:readline";

const say = (fields) => process.stdout.write(`${JSON.stringify(fields)}\n`);
const LATER_MS = 100;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, text } = JSON.parse(line);
  say({ type: "received", id });
  if (text !== "say") return say({ type: "done", summary: "said" });
  setTimeout(() => {
    say({ type: "status", state: "working", note: `said at ${performance.timeOrigin + performance.now()}` });
  }, LATER_MS);
});
