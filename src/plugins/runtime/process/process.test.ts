import { appendFileSync, mkdirSync, readFileSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Clock } from "../../../ports/host.ts";
import type { RunSpec } from "../../../ports/runtime.ts";
import { describeRuntimeContract } from "../../../testing/contracts/runtime.contract.ts";
import { eventually } from "../../../testing/eventually.ts";
import { smallDisk, tempDir } from "../../../testing/temp.ts";
import { processRuntime } from "./process.ts";

const host = createNodeHost({ log: createSilentLog() });
const runtime = processRuntime.create({}, host, { home: "", projectPath: "" });

for (const input of ["inbox", "file"] as const) {
  describeRuntimeContract({ name: `process (${input})`, host: () => host, create: () => runtime, input });
}

function aSpec(argv: readonly string[], changes: Partial<RunSpec> = {}): RunSpec {
  const dir = tempDir("ao-process-");
  return {
    sessionId: "s",
    run: 1,
    runDir: join(dir, "run"),
    intentId: `process-test/${dir}`,
    argv,
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "" },
    input: "inbox",
    initialInput: "",
    ...changes,
  };
}

/** As the daemon does. */
async function send(spec: RunSpec, text: string): Promise<void> {
  appendFileSync(join(spec.runDir, "in"), text);
  await host.fs.ring(join(spec.runDir, "bell"));
}

describe("the holder", () => {
  it("feeds each line once and in order, however fast the bell is rung", async () => {
    const spec = aSpec(["cat"]);
    await runtime.start(spec);
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n}\n`);
    for (const line of lines) await send(spec, line);
    await eventually(async () => expect(readFileSync(join(spec.runDir, "out"), "utf8")).toBe(lines.join("")));
    await runtime.end(spec, 1000);
  });

  it("feeds what was appended without a ring, and half a line, with the next ring", async () => {
    const spec = aSpec(["cat"]);
    await runtime.start(spec);
    appendFileSync(join(spec.runDir, "in"), "unheard\nha");
    await host.fs.ring(join(spec.runDir, "bell"));
    await eventually(async () => expect(readFileSync(join(spec.runDir, "out"), "utf8")).toBe("unheard\nha"));
    await send(spec, "lf\n");
    await eventually(async () => expect(readFileSync(join(spec.runDir, "out"), "utf8")).toBe("unheard\nhalf\n"));
    await runtime.end(spec, 1000);
  });

  it("accepts that a program exits with 0 and with unread input", async () => {
    const spec = aSpec(["sh", "-c", "read -r line; exit 0"], { initialInput: `go\n${"x".repeat(300_000)}\n` });
    await runtime.start(spec);
    await eventually(async () => expect(await runtime.probe(spec)).toEqual({ kind: "exited", code: 0 }));
  });

  it("records how a program ended that filled the disk", async ({ skip }) => {
    const disk = smallDisk(1);
    if (disk === null) return skip("this user may not mount a file system");
    const spec = aSpec(["sh", "-c", "yes | head -c 4M; exit 3"], { runDir: join(disk, "run") });
    await runtime.start(spec);
    await eventually(async () => expect(await runtime.probe(spec)).toEqual({ kind: "exited", code: 3 }));
    expect(statfsSync(disk).bavail).toBe(0);
  });

  it("waits for input without a file watch", async () => {
    const spec = aSpec(["sleep", "1000"]);
    await runtime.start(spec);
    const group = Number(readFileSync(join(spec.runDir, "pgid"), "utf8"));
    await eventually(async () => {
      const members = await host.processes.groupMembers(group);
      const programs = members.map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]);
      // The holder, its two halves, and the program.
      expect(programs).toEqual(["/bin/sh", "/bin/sh", "/bin/sh", "sleep"]);
    });
    await runtime.end(spec, 1000);
  });

  it("follows the inbox of a daemon that does not ring", async () => {
    const { runDir, cwd } = aSpec([]);
    mkdirSync(runDir, { recursive: true });
    writeFileSync(join(runDir, "in"), "first\n");
    const args = [host.assets.holder, runDir, "inbox", "cat"];
    const { pid } = await host.processes.launch({
      program: "/bin/sh",
      args,
      cwd,
      env: { PATH: process.env["PATH"] ?? "" },
    });
    appendFileSync(join(runDir, "in"), "second\n");
    await eventually(async () => expect(await host.fs.readText(join(runDir, "out"))).toBe("first\nsecond\n"));
    host.processes.signal(-pid, "SIGKILL");
  });

  it("feeds what is appended to the inbox, in full, even a line of 1 MiB", async () => {
    const spec = aSpec(["cat"], { initialInput: "first\n" });
    await runtime.start(spec);
    const long = `${"x".repeat(1024 * 1024)}é\n`;
    await send(spec, long);
    await send(spec, "last\n");
    await eventually(async () =>
      expect(readFileSync(join(spec.runDir, "out"), "utf8") === `first\n${long}last\n`).toBe(true),
    );
    await runtime.end(spec, 1000);
  });

  it("passes a one-message program its text and then the end of input", async () => {
    const spec = aSpec(["sh", "-c", "cat; echo over >&2"], {
      input: "file",
      initialInput: "a\n\tb ' \" \u0007 no newline",
    });
    await runtime.start(spec);
    await eventually(async () => expect(await runtime.probe(spec)).toEqual({ kind: "exited", code: 0 }));
    expect(readFileSync(join(spec.runDir, "out"), "utf8")).toBe("a\n\tb ' \" \u0007 no newline");
    expect(readFileSync(join(spec.runDir, "err"), "utf8")).toBe("over\n");
  });

  it("is trusted if it writes the exit code and exits during the probe", async () => {
    const spec = aSpec(["true"], { input: "file" });
    const inRun = (name: string, text: string): void => writeFileSync(join(spec.runDir, name), text);
    mkdirSync(join(spec.runDir, "lock"), { recursive: true });
    inRun("intent", spec.intentId);
    inRun("pid", "999999999\n");
    inRun("holder", `${process.pid}\n`);
    const findByIntent = async (): Promise<[]> => {
      inRun("exit", "0\n");
      return [];
    };
    const hasty = { ...host, processes: { ...host.processes, findByIntent } };
    const probed = await processRuntime.create({}, hasty, { home: "", projectPath: "" }).probe(spec);
    expect(probed).toEqual({ kind: "exited", code: 0 });
  });

  it("records the signal that ended the program as a shell does", async () => {
    const spec = aSpec(["sleep", "1000"]);
    const started = await runtime.start(spec);
    if (started.kind === "started") host.processes.signal(started.pid, "SIGKILL");
    await eventually(async () => expect(await runtime.probe(spec)).toEqual({ kind: "exited", code: 137 }));
  });

  it("leaves nothing running after the program's end", async () => {
    const spec = aSpec(["sh", "-c", "sleep 1000 & exit 0"]);
    await runtime.start(spec);
    await eventually(async () => expect((await runtime.probe(spec)).kind).toBe("exited"));
    await eventually(async () => expect(await host.processes.findByIntent(spec.intentId)).toEqual([]));
  });

  it("keeps feeding the program after the holder itself was killed", async () => {
    const spec = aSpec(["cat"]);
    const started = await runtime.start(spec);
    const pid = started.kind === "started" ? started.pid : 0;
    const group = Number(readFileSync(join(spec.runDir, "pgid"), "utf8"));
    host.processes.signal(group, "SIGKILL");
    await send(spec, "still there\n");
    await eventually(async () => expect(readFileSync(join(spec.runDir, "out"), "utf8")).toBe("still there\n"));
    expect(await runtime.probe(spec)).toEqual({ kind: "alive", pid });
    await runtime.end(spec, 1000);
    expect(await host.processes.findByIntent(spec.intentId)).toEqual([]);
  });

  it("reports gone if the program and the process that would record its end are both killed", async () => {
    const spec = aSpec(["cat"]);
    const started = await runtime.start(spec);
    host.processes.signal(Number(readFileSync(join(spec.runDir, "holder"), "utf8")), "SIGKILL");
    if (started.kind === "started") host.processes.signal(started.pid, "SIGKILL");
    await eventually(async () => expect((await runtime.probe(spec)).kind).toBe("gone"));
    await runtime.end(spec, 0);
    expect(await host.processes.findByIntent(spec.intentId)).toEqual([]);
  });

  it("does not treat a program as finished if its input was cut", async () => {
    const spec = aSpec(["cat"]);
    await runtime.start(spec);
    const group = Number(readFileSync(join(spec.runDir, "pgid"), "utf8"));
    const known = ["pgid", "holder", "pid"].map((name) => Number(readFileSync(join(spec.runDir, name), "utf8")));
    const feeder = (await host.processes.groupMembers(group)).find(({ pid }) => !known.includes(pid));
    host.processes.signal(feeder?.pid ?? 0, "SIGKILL");
    await eventually(async () => expect(await runtime.probe(spec)).toEqual({ kind: "exited", code: 129 }));
  });

  it("is starting, not gone, as long as it lives and has not recorded its pid", async () => {
    const spec = aSpec(["true"]);
    mkdirSync(join(spec.runDir, "lock"), { recursive: true });
    utimesSync(join(spec.runDir, "lock"), 1, 1);
    writeFileSync(join(spec.runDir, "intent"), spec.intentId);
    const env = { ...spec.env, AO_INTENT: spec.intentId };
    const { pid } = await host.processes.launch({ program: "sleep", args: ["1000"], cwd: spec.cwd, env });
    expect(await runtime.probe(spec)).toEqual({ kind: "starting" });
    host.processes.signal(pid, "SIGKILL");
    await eventually(async () => expect((await runtime.probe(spec)).kind).toBe("gone"));
  });

  it("waits for a program that starts while the clock jumps ahead", async () => {
    const spec = aSpec(["cat"]);
    let jumps = 0;
    const clock: Clock = { ...host.clock, now: () => host.clock.now() + (jumps++ === 0 ? 0 : 3 * 3_600_000) };
    const started = await processRuntime.create({}, { ...host, clock }, { home: "", projectPath: "" }).start(spec);
    expect(started).toEqual({ kind: "started", pid: expect.any(Number) });
    await runtime.end(spec, 1000);
  });

  it("starts a program although the disk is too full to record its identity", async () => {
    const spec = aSpec(["cat"]);
    const writeText: typeof host.fs.writeText = async (path, text, options) => {
      if (path.endsWith("/identity")) throw new Error("ENOSPC");
      await host.fs.writeText(path, text, options);
    };
    const onFullDisk = { ...host, fs: { ...host.fs, writeText } };
    const started = await processRuntime.create({}, onFullDisk, { home: "", projectPath: "" }).start(spec);
    expect(await runtime.probe(spec)).toEqual({ kind: "alive", pid: started.kind === "started" ? started.pid : 0 });
    await runtime.end(spec, 1000);
    expect(await host.processes.findByIntent(spec.intentId)).toEqual([]);
  });

  it("reports a program that cannot be found by the shell's code 127", async () => {
    const spec = aSpec(["no-such-program-anywhere"]);
    expect(await runtime.start(spec)).toEqual({ kind: "exited", code: 127 });
  });
});
