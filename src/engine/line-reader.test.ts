import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHostFs } from "../platform/fs.ts";
import { tempDir } from "../testing/temp.ts";
import { readLines } from "./line-reader.ts";

const fs = createHostFs();

describe("reading lines of a growing file", () => {
  it("leaves an incomplete last line for later and then returns it whole", async () => {
    const file = join(tempDir(), "out");
    writeFileSync(file, "{one}\ntext\n{tw");
    const first = await readLines(fs, file, 0);
    expect(first).toEqual({ lines: ["{one}"], hasLines: true, position: 11, atEnd: true });
    appendFileSync(file, "o é}\n");
    expect(await readLines(fs, file, first.position)).toEqual({
      ...{ lines: ["{two é}"], hasLines: true, position: 20, atEnd: true },
    });
  });

  it("returns nothing for a missing or unchanged file", async () => {
    const file = join(tempDir(), "out");
    expect(await readLines(fs, file, 0)).toEqual({ lines: [], hasLines: false, position: 0, atEnd: true });
    writeFileSync(file, "x\n");
    expect(await readLines(fs, file, 2)).toEqual({ lines: [], hasLines: false, position: 2, atEnd: true });
  });

  it("returns a line that is longer than one read", async () => {
    const file = join(tempDir(), "out");
    const long = `{${"y".repeat(699_999)}`;
    writeFileSync(file, `${long}\nrest\n`);
    const batch = await readLines(fs, file, 0);
    expect(batch.lines[0]?.length).toBe(700_000);
  });

  it("skips an endless line, so that it cannot block the reader", async () => {
    const file = join(tempDir(), "out");
    writeFileSync(file, `${"z".repeat(5 * 1024 * 1024)}\n{after}\n`);
    const seen: string[] = [];
    let position = 0;
    for (;;) {
      const batch = await readLines(fs, file, position);
      seen.push(...batch.lines);
      position = batch.position;
      if (batch.atEnd) break;
    }
    expect(seen.at(-1)).toBe("{after}");
    expect(position).toBe(5 * 1024 * 1024 + 9);
  });
});
