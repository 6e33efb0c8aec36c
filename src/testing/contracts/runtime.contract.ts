import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Host } from "../../ports/host.ts";
import type { RunSpec, Runtime } from "../../ports/runtime.ts";
import { eventually } from "../eventually.ts";
import { tempDir } from "../temp.ts";

interface RuntimeContract {
  readonly name: string;
  readonly host: () => Host;
  /** `home` is a temporary AO_HOME. */
  readonly create: (host: Host, home: string) => Runtime;
  readonly input: RunSpec["input"];
  /** What this adapter cannot do, by test name, with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

/** The facts that hold for every runtime; each adapter runs them. */
export function describeRuntimeContract(contract: RuntimeContract): void {
  const skipped = new Map((contract.skip ?? []).map(({ test, reason }) => [test, reason]));
  const fact = (name: string, run: () => Promise<void>): void => {
    const reason = skipped.get(name);
    if (reason === undefined) it(name, run);
    else it.skip(`${name} (${reason})`, run);
  };
  const setUp = async (): Promise<{
    runtime: Runtime;
    host: Host;
    dir: string;
    spec: (argv: readonly string[], run?: number) => RunSpec;
    /** A file that the program wrote; empty if it is missing. */
    read: (name: string) => Promise<string>;
  }> => {
    const dir = tempDir("ao-run-");
    const host = contract.host();
    await host.fs.makeDir(join(dir, "home"));
    const runtime = contract.create(host, join(dir, "home"));
    const spec = (argv: readonly string[], run = 1): RunSpec => ({
      sessionId: "s",
      run,
      runDir: join(dir, `run-${run}`),
      intentId: `contract/${dir}/${run}`,
      argv,
      cwd: dir,
      env: { PATH: process.env["PATH"] ?? "", HOME: dir, MARK: 'it\'s "set"\nhere' },
      input: contract.input,
      initialInput: "",
    });
    const read = async (name: string): Promise<string> => (await host.fs.readText(join(dir, name))) ?? "";
    return { runtime, host, dir, spec, read };
  };

  describe(`the runtime ${contract.name}`, () => {
    fact("records the exit code of a program", async () => {
      const { runtime, spec } = await setUp();
      const wanted = spec(["sh", "-c", "exit 7"]);
      await runtime.start(wanted);
      await eventually(async () => expect(await runtime.probe(wanted)).toEqual({ kind: "exited", code: 7 }));
      await runtime.end(wanted, 100);
    });

    fact("passes the program its folder, its arguments and exactly its environment", async () => {
      const { runtime, dir, spec, read } = await setUp();
      const wanted = spec([
        "sh",
        "-c",
        'pwd >where; printf %s "$1" >arg; printf %s "$MARK" >mark; printf %s "$SHOULD_NOT" >not',
        "sh",
        "a 'b' \"c\" $d\né",
      ]);
      process.env["SHOULD_NOT"] = "leak";
      await runtime.start(wanted);
      delete process.env["SHOULD_NOT"];
      await eventually(async () => expect((await runtime.probe(wanted)).kind).toBe("exited"));
      expect((await read("where")).trim()).toBe(dir);
      expect(await read("arg")).toBe("a 'b' \"c\" $d\né");
      expect(await read("mark")).toBe('it\'s "set"\nhere');
      expect(await read("not")).toBe("");
      await runtime.end(wanted, 100);
    });

    fact("adopts the first program when the same run is started again", async () => {
      const { runtime, spec, read } = await setUp();
      const wanted = spec(["sh", "-c", "echo started >>count; exec sleep 1000"]);
      const first = await runtime.start(wanted);
      const second = await runtime.start(wanted);
      expect(second).toEqual(first);
      await eventually(async () => expect(await read("count")).toBe("started\n"));
      await runtime.end(wanted, 100);
      expect(await read("count")).toBe("started\n");
    });

    fact("starts one program when the same run is started twice at once", async () => {
      const { runtime, spec, read } = await setUp();
      const wanted = spec(["sh", "-c", "echo started >>count; exec sleep 1000"]);
      await Promise.all([runtime.start(wanted), runtime.start(wanted)]);
      await eventually(async () => expect(await read("count")).toBe("started\n"));
      await runtime.end(wanted, 100);
    });

    fact("ends the program and its children, even one that ignores SIGTERM", async () => {
      const { runtime, host, spec, read } = await setUp();
      const wanted = spec([
        "sh",
        "-c",
        "trap '' TERM; sleep 1000 & echo $! >child; echo ready >ready; while :; do sleep 0.1; done",
      ]);
      await runtime.start(wanted);
      await eventually(async () => expect(await read("ready")).not.toBe(""));
      const child = Number(await read("child"));
      await runtime.end(wanted, 100);
      expect((await runtime.probe(wanted)).kind).not.toBe("alive");
      expect(host.processes.identify(child)).toBeNull();
      expect(await host.processes.findByIntent(wanted.intentId)).toEqual([]);
    });

    fact("ends a run twice, or one that was never started, without an error", async () => {
      const { runtime, spec } = await setUp();
      const wanted = spec(["sleep", "1000"]);
      await runtime.end(wanted, 100);
      await runtime.start(wanted);
      await runtime.end(wanted, 100);
      await runtime.end(wanted, 100);
      expect((await runtime.probe(wanted)).kind).not.toBe("alive");
    });

    fact("reports a run that never existed as gone", async () => {
      const { runtime, spec } = await setUp();
      expect((await runtime.probe(spec(["true"], 9))).kind).toBe("gone");
    });

    fact("notices a program that was killed", async () => {
      const { runtime, host, spec } = await setUp();
      const wanted = spec(["sleep", "1000"]);
      const started = await runtime.start(wanted);
      expect(started.kind).toBe("started");
      if (started.kind === "started") host.processes.signal(started.pid, "SIGKILL");
      await eventually(async () => expect(["exited", "gone"]).toContain((await runtime.probe(wanted)).kind));
      await runtime.end(wanted, 100);
    });

    fact("keeps two runs apart", async () => {
      const { runtime, spec, read } = await setUp();
      const one = spec(["sh", "-c", "echo one >one; exec sleep 1000"], 1);
      const two = spec(["sh", "-c", "echo two >two; exec sleep 1000"], 2);
      await Promise.all([runtime.start(one), runtime.start(two)]);
      await eventually(async () => expect([await read("one"), await read("two")]).toEqual(["one\n", "two\n"]));
      await runtime.end(one, 100);
      expect((await runtime.probe(two)).kind).toBe("alive");
      await runtime.end(two, 100);
    });

    fact("does not mistake another process for its own after the pid is reused", async () => {
      const { runtime, host, dir, spec } = await setUp();
      const wanted = spec(["sh", "-c", "kill -KILL $$"]);
      await runtime.start(wanted).catch(() => undefined);
      await eventually(async () => expect(["exited", "gone"]).toContain((await runtime.probe(wanted)).kind));
      await runtime.end(wanted, 100);
      // As if the end was not recorded and another program got the pid: this test's own process takes that role.
      await host.fs.remove(join(dir, "run-1", "exit"));
      await host.fs.writeText(join(dir, "run-1", "pid"), `${process.pid}\n`);
      expect((await runtime.probe(wanted)).kind).not.toBe("alive");
    });
  });
}
