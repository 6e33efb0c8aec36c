import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { endLeftovers, MARK } from "../leftovers.ts";
import { createLineSplitter, startChild } from "./child.ts";

function run(script: string, mark = "none"): ReturnType<typeof startChild> & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const child = startChild({
    program: process.execPath,
    args: ["-e", script],
    cwd: tempDir(),
    env: { ...process.env, [MARK]: mark },
    onLine: (line) => void lines.push(line),
  });
  return { ...child, lines };
}

describe("a child", () => {
  it("receives lines, sends lines, and reports how it ended", async () => {
    const child = run(
      "process.stdin.once('data', (d) => { console.log('got ' + d + 'end'); console.error('why'); process.exit(3); })",
    );
    child.send("a line");
    expect(await child.ended).toEqual({ how: "exit code 3", code: 3, stderr: "why" });
    expect(child.lines).toEqual(["got a line", "end"]);
  });

  it("that cannot be started is reported", async () => {
    const child = startChild({ program: "/no/such", args: [], cwd: "/", env: {}, onLine: () => undefined });
    expect(await child.ended).toMatchObject({ how: expect.stringContaining("could not be started"), code: null });
    child.send("into the void");
    await child.end(1);
  });

  it("is asked to end, and killed if it does not", async () => {
    const stubborn = run("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')");
    await expect.poll(() => stubborn.lines).toEqual(["up"]);
    await stubborn.end(50);
    expect(await stubborn.ended).toMatchObject({ how: "ended by SIGKILL" });
  });

  it("leaves nothing behind, not even a process that left its group and holds its output open", async () => {
    const mark = `mark-${process.pid}`;
    const far = `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' })`;
    const child = run(
      `const { spawn } = require('node:child_process'); console.log(${far}.pid); process.exit(0)`,
      mark,
    );
    await child.ended;
    const pid = Number(child.lines[0]);
    expect(() => process.kill(pid, 0)).not.toThrow();
    await endLeftovers(mark);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

// An ended process stays in the process table until its parent reaps it.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("a line splitter", () => {
  it("joins lines that were cut anywhere, and drops a line above its limit", () => {
    const lines: string[] = [];
    const split = createLineSplitter(8, (line) => void lines.push(line));
    const bytes = Buffer.from("äö\n\nfar too long for it\n12345678\nrest");
    for (const byte of bytes) split(Buffer.from([byte]));
    split(Buffer.from("!\n"));
    expect(lines).toEqual(["äö", "", "12345678", "rest!"]);
  });
});
