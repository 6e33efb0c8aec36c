import { expect, it } from "vitest";
import { strayLines, warningsIn } from "./stderr.ts";

it("errors with their hints, and remarks, are what `ao` says on stderr", () => {
  const said =
    "note: no tests found\nproject web (/w)\nerror: git push failed: fatal: no\n  more of it\nhint: ao doctor\n";
  expect(strayLines(said)).toEqual([]);
});

it.each([
  "(node:12) MaxListenersExceededWarning: Possible EventEmitter memory leak detected.",
  "(Use `node --trace-warnings ...` to show where the warning was created)",
  "    at Socket.emit (node:events:518:28)",
  "warning: LF will be replaced by CRLF",
  "sh: 1: bwrap: not found",
])("what others say there is found: %s", (line) => {
  expect(strayLines(`note: fine\n${line}\n`)).toEqual([line]);
});

it("a warning of Node's is found between other lines", () => {
  expect(warningsIn("ok\n(node:1) ExperimentalWarning: x\n")).toHaveLength(1);
});
