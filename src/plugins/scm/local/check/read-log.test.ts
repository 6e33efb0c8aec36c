import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../../platform/host.ts";
import { createSilentLog } from "../../../../platform/log.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { readCheckLog } from "./read-log.ts";

const host = createNodeHost({ log: createSilentLog() });

function aFolder(files: Readonly<Record<string, string>>): string {
  const folder = tempDir();
  mkdirSync(join(folder, "tree"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("the log of a check", () => {
  it("is null before anything was printed", async () => {
    expect(await readCheckLog(host, aFolder({}), null)).toBeNull();
  });

  it("is read while the set-up runs, whole lines at a time, then that of the command", async () => {
    const folder = aFolder({ "setup.log": "added 1 package\n\u001b[32mhalf a li" });
    const first = await readCheckLog(host, folder, null);
    expect(first).toEqual({ text: "added 1 package\n", cursor: 16 });
    writeFileSync(join(folder, "setup.log"), "added 1 package\n\u001b[32mhalf a line\u001b[0m\n");
    const second = await readCheckLog(host, folder, first?.cursor ?? null);
    expect(second?.text).toBe("half a line\n");
    expect(await readCheckLog(host, folder, second?.cursor ?? null)).toEqual({ text: "", cursor: second?.cursor });
    writeFileSync(join(folder, "log"), `at ${folder}/tree/a.js\n10%\r90%`);
    const third = await readCheckLog(host, folder, second?.cursor ?? null);
    expect(third?.text).toBe("at a.js\n");
    expect((await readCheckLog(host, folder, null))?.text).toBe("added 1 package\nhalf a line\nat a.js\n");
    writeFileSync(join(folder, "answer.json"), "{}");
    const last = await readCheckLog(host, folder, third?.cursor ?? null);
    expect(last?.text).toBe("90%");
    expect(await readCheckLog(host, folder, last?.cursor ?? null)).toEqual({ text: "", cursor: last?.cursor });
  });

  it("starts near the end, at the start of a line, and continues where a shorter file ends", async () => {
    const folder = aFolder({ log: `${"x".repeat(99)}\n`.repeat(1000), "answer.json": "{}" });
    const tail = await readCheckLog(host, folder, null);
    expect(tail?.text).toMatch(/^x{99}\n/);
    expect(tail?.text.length).toBeLessThanOrEqual(64 * 1024);
    expect(tail?.cursor).toBe(100_000);
    const all: string[] = [];
    for (let cursor = 0; cursor < 100_000; ) {
      const part = await readCheckLog(host, folder, cursor);
      all.push(part?.text ?? "");
      cursor = part?.cursor ?? Number.POSITIVE_INFINITY;
    }
    expect(all.join("")).toHaveLength(100_000);
    writeFileSync(join(folder, "log"), "short\n");
    expect(await readCheckLog(host, folder, 100_000)).toEqual({ text: "", cursor: 6 });
  });
});
