import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import { calledAs } from "./called-as.ts";

it("is ao only if that is on PATH and is this program", () => {
  const dir = tempDir();
  const entry = join(dir, "ao.cjs");
  const bin = join(dir, "bin");
  const other = join(dir, "other");
  for (const folder of [bin, other]) mkdirSync(folder);
  writeFileSync(entry, "");
  chmodSync(entry, 0o755);
  symlinkSync(entry, join(bin, "ao"));
  writeFileSync(join(other, "ao"), "", { mode: 0o755 });
  expect(calledAs({ PATH: `/nowhere:${bin}` }, entry)).toBe("ao");
  expect(calledAs({ PATH: other }, entry)).toBe(`node ${entry}`);
  expect(calledAs({}, "/my clone/ao.cjs")).toBe("node '/my clone/ao.cjs'");
});
