import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { begin, hasBubblewrap, note, run, stage } from "../e2e/sandbox/stage.ts";

describe.skipIf(!hasBubblewrap)(`an agent in a sandbox that looks for processes${note}`, () => {
  it("finds none outside, and cannot open the daemon's inspector with a signal", async () => {
    const { fleet } = await stage();
    const { id } = await begin(fleet, "one");
    const daemon = fleet.daemonPid();
    expect(await run(fleet, id, `kill -USR1 ${daemon}; cat /proc/${daemon}/cmdline`)).toMatch(
      /No such process.*No such file/s,
    );
    expect(await run(fleet, id, "ls /proc | grep -c '^[0-9]'")).toMatch(/^\d$/);
    process.kill(daemon, "SIGUSR1");
    // The answer comes after the signal was handled.
    expect((await fleet.api("GET", "/healthz")).status).toBe(200);
    expect(listeningPorts(daemon)).not.toContain(9229);
  });
});

/** Ports of IPv4 on which a process listens. */
function listeningPorts(pid: number): readonly number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? ""];
      } catch {
        return [];
      }
    }),
  );
  const rows = readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n").slice(1);
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
    return state === "0A" && sockets.has(inode) ? [Number.parseInt(local.split(":")[1] ?? "", 16)] : [];
  });
}
