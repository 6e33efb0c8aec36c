import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createHostProcesses } from "./processes.ts";

const processes = createHostProcesses();

describe.runIf(process.platform === "linux")("a process that becomes another program all the time", () => {
  it("is found by its intent in every scan", async () => {
    const intent = `exec-test/${process.pid}`;
    // Each shell replaces itself with the next one, so most scans happen near an exec.
    const script = 'n=$1; [ "$n" -gt 0 ] || exec sleep 1000; exec sh -c "$0" "$0" $((n - 1))';
    const child = spawn("sh", ["-c", script, script, "500"], {
      env: { PATH: process.env["PATH"] ?? "", AO_INTENT: intent },
    });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    let missed = 0;
    while (!readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep")) {
      if ((await processes.findByIntent(intent, [pid])).length === 0) missed += 1;
    }
    child.kill("SIGKILL");
    expect(missed).toBe(0);
  });
});

describe("a process", () => {
  it("that is a zombie is not alive", async () => {
    const child = spawn("true");
    const pid = child.pid ?? 0;
    await once(child, "exit");
    expect(processes.identify(pid)).toBeNull();
  });

  it("is identified by pid and start time, so that a reused pid is another process", () => {
    const self = processes.identify(process.pid);
    expect(self).not.toBeNull();
    if (self !== null)
      expect(processes.isAlive({ ...self, started: `${self.started}0` })).toBe(process.platform !== "linux");
  });

  it("that is gone can be signaled without an error", () => {
    expect(() => processes.signal(2_000_000_000, "SIGTERM")).not.toThrow();
  });
});
