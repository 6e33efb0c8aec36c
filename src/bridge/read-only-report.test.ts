import { expect, it } from "vitest";
import { decodeSignal } from "../core/lines-protocol.ts";
import { createReadOnlyReport, isEnclosed } from "./read-only-report.ts";

it("reports each path that a tool could not write in a sandbox once, and 20 at most", () => {
  const lines: string[] = [];
  const report = createReadOnlyReport((line) => void lines.push(line.trimEnd()));
  report("npm error EROFS: read-only file system, open '/root/.npm/x'");
  report("touch: cannot touch '/usr/y': Read-only file system");
  report("touch: cannot touch '/usr/y': Read-only file system");
  report("Permission denied: /usr/z");
  expect(lines.map((line) => decodeSignal(line))).toEqual([
    { kind: "read-only", path: "/root/.npm/x" },
    { kind: "read-only", path: "/usr/y" },
  ]);
  for (let at = 0; at < 50; at++) report(`sh: /opt/${at}: Read-only file system`);
  expect(lines).toHaveLength(20);
  expect([isEnclosed({}), isEnclosed({ AO_SANDBOX: "bubblewrap" })]).toEqual([false, true]);
});
