import { describe, expect, it, onTestFinished } from "vitest";
import type { ExecRequest } from "../ports/host.ts";
import { exec } from "./exec.ts";
import { ExecError } from "./exec-error.ts";
import { createHostProcesses } from "./processes.ts";

const processes = createHostProcesses();

/**
 * A program that starts another one in its own session, which keeps its output open and at last writes to it; then it
 * runs `code`.
 */
function aStarter(code: string): Pick<ExecRequest, "program" | "args"> {
  const script = `
    const other = ["-c", "sleep 60; echo the other ended >&2"];
    const child = require("node:child_process").spawn("sh", other, { detached: true, stdio: "inherit" });
    child.unref();
    process.stderr.write(child.pid + "\\n");
    ${code}`;
  return { program: process.execPath, args: ["-e", script] };
}

/** The other program, by its pid in `stderr`, still runs; it is ended after the test. */
function expectLeftRunning(stderr: string): void {
  const pid = Number.parseInt(stderr, 10);
  onTestFinished(() => processes.signal(-pid, "SIGKILL"));
  expect(stderr).toBe(`${pid}\n`);
}

const failureOf = (error: unknown): ExecError => {
  if (error instanceof ExecError) return error;
  throw error;
};

describe("a program that leaves another one running, which holds its output open", () => {
  it("is over when it exits, with all of its output", async () => {
    const bytes = 200_000;
    const { code, stdout, stderr } = await exec(aStarter(`process.stdout.write("x".repeat(${bytes}))`));
    expectLeftRunning(stderr);
    expect([code, stdout.length]).toEqual([0, bytes]);
  });

  it("fails with its own exit code", async () => {
    const error = await exec(aStarter("process.exitCode = 3")).then(() => null, failureOf);
    expectLeftRunning(error?.facts.stderrTail ?? "");
    expect(error?.facts).toMatchObject({ reason: "exit", code: 3, signal: null });
  });

  it("is ended at its time limit if it hangs", async () => {
    const request = { ...aStarter("setInterval(() => undefined, 1000)"), timeoutMs: 5000 };
    const error = await exec(request).then(() => null, failureOf);
    expectLeftRunning(error?.facts.stderrTail ?? "");
    expect(error).toMatchObject({ code: "timeout", facts: { reason: "timeout", signal: "SIGKILL" } });
  });
});
