import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../../platform/host.ts";
import { createSilentLog } from "../../../../platform/log.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { readLogTail, tailOfLog, trimLog } from "./log-tail.ts";

function tail(text: string): string {
  return tailOfLog(new TextEncoder().encode(text), true);
}

describe("the tail of a log", () => {
  it.each([
    ["colors", "\x1b[31mred\x1b[0m \x1b[1;38;5;12mbold\x1b[m", "red bold"],
    ["links and titles", "\x1b]8;;https://x.y\x07text\x1b]8;;\x1b\\ \x1b]0;title\x07end", "text end"],
    ["cursor movements", "\x1b[2K\x1b[1A\x1b[?25lline\x1b(B", "line"],
    ["an incomplete escape", "line\x1b[", "line"],
    ["control characters", "a\x00b\x07c\x7fd\u009be\tf\u202eg", "abcd\tfg"],
    ["progress bars", "10%\r50%\r100%\r\ndone\r\n", "100%\ndone"],
    ["empty lines at the end", "text\n\n\n", "text"],
  ])("is without %s", (_, raw, shown) => {
    expect(tail(raw)).toBe(shown);
  });

  it("has the last 200 lines", () => {
    const lines = Array.from({ length: 500 }, (_, n) => `line ${n}`);
    expect(tail(lines.join("\n")).split("\n")).toEqual(lines.slice(300));
  });

  it("has at most 16 KiB, whole lines and whole characters", () => {
    const shown = tail(Array.from({ length: 150 }, () => "日".repeat(100)).join("\n"));
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(16 * 1024);
    expect(new Set(shown.split("\n"))).toEqual(new Set(["日".repeat(100)]));
    const one = tail("é".repeat(100_000));
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(16 * 1024);
    expect(one).toMatch(/^é+$/);
  });

  it("survives bytes that are not UTF-8", () => {
    expect(tailOfLog(new Uint8Array([0x61, 0xff, 0xc3, 0x0a, 0x62]), true)).toBe("a\ufffd\ufffd\nb");
  });

  it("is fast for a log of nothing but escapes", () => {
    // Other programs on the machine do not count toward CPU time.
    const start = process.cpuUsage();
    for (const bytes of ["\x1bP", "\x1b]", "\x1b[", "\x1b", "\r"]) tail(bytes.repeat(130_000));
    expect(process.cpuUsage(start).user).toBeLessThan(10e6);
  });

  it("of a large file starts at a line, and the file is cut to its end", async () => {
    const host = createNodeHost({ log: createSilentLog() });
    const path = join(tempDir(), "log");
    writeFileSync(path, `${"x".repeat(80)}\n`.repeat(40_000));
    const before = await readLogTail(host, path);
    expect(new Set(before.split("\n"))).toEqual(new Set(["x".repeat(80)]));
    await trimLog(host, path);
    expect((await host.fs.stat(path))?.size).toBe(1024 * 1024);
    expect(await readLogTail(host, path)).toBe(before);
    expect(await readLogTail(host, `${path}.none`)).toBe("");
  });
});
