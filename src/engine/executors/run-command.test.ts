import { describe, expect, it } from "vitest";
import type { CommandRun } from "../../core/command/command-run.ts";
import type { ExecRequest } from "../../ports/host.ts";
import { aSession } from "../../testing/builders.ts";
import { aChange } from "../../testing/change-builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { createBedWorld } from "../../testing/engine-bed/world.ts";
import type { EffectDeps } from "../executor.ts";
import { runCommand } from "./run-command.ts";

const COMMAND: CommandRun = { id: "c-1", cause: "ci-failed", run: "./tell.sh", text: "check unit failed", at: 1 };
const ON_CHANGE = { kind: "run-command", changeKey: "demo/1", commandId: "c-1" } as const;

interface Scene {
  readonly deps: EffectDeps;
  readonly ran: ExecRequest[];
}

function setUp(command: Partial<CommandRun> = {}, answer = { code: 0, stdout: "", stderr: "" }): Scene {
  const commands = [{ ...COMMAND, ...command }];
  const facts = { change: aChange({ commands }), session: aSession({ commands }) };
  const deps = depsFor(createBedWorld(), facts);
  const ran: ExecRequest[] = [];
  const exec = async (request: ExecRequest): Promise<typeof answer> => {
    ran.push(request);
    return answer;
  };
  return { deps: { ...deps, host: { ...deps.host, exec } }, ran };
}

describe("run-command", () => {
  it("runs the command of a pull request, which learns what it is about", async () => {
    const { deps, ran } = setUp();
    expect(await runCommand.execute(ON_CHANGE, "i-1", deps)).toEqual({ kind: "command-ended", code: 0, reason: "" });
    expect(ran).toHaveLength(1);
    expect(ran[0]).toMatchObject({ args: ["-c", "./tell.sh"], timeoutMs: 60_000 });
    expect(ran[0]?.exactEnv).toMatchObject({ AO_EVENT: "ci-failed", AO_TEXT: "check unit failed", AO_PROJECT: "demo" });
  });

  it("runs the command of a session, with its own time limit", async () => {
    const { deps, ran } = setUp({ timeoutMs: 5000 });
    const { id: sessionId } = aSession();
    await runCommand.execute({ kind: "run-command", sessionId, commandId: "c-1" }, "i-1", deps);
    expect(ran[0]).toMatchObject({ timeoutMs: 5000, exactEnv: { AO_SESSION: sessionId } });
  });

  it("reports the exit code with the end of what it printed", async () => {
    const { deps } = setUp({}, { code: 3, stdout: "no\n", stderr: "really\n" });
    const outcome = await runCommand.execute(ON_CHANGE, "i-1", deps);
    expect(outcome).toMatchObject({ kind: "command-ended", code: 3 });
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/^exit code 3: no\s+really$/) });
  });

  it("calls the function of a hook in code, with the facts on standard input", async () => {
    const module = { module: "/home/ann/ao-hooks.mjs", from: "/home/ann" };
    const { deps, ran } = setUp({ cause: "after-merge", run: "ao-hooks.mjs", module });
    await runCommand.execute(ON_CHANGE, "i-1", deps);
    expect(JSON.parse(String(ran[0]?.stdin))).toMatchObject({
      ...module,
      context: { point: "after-merge", sentence: "check unit failed", intent: "i-1", pullRequest: { number: 1 } },
    });
  });

  it("runs nothing that is not wanted any more", async () => {
    const { deps, ran } = setUp({ id: "another" });
    expect(await runCommand.execute(ON_CHANGE, "i-1", deps)).toMatchObject({ kind: "command-ended", code: 0 });
    expect(ran).toEqual([]);
  });

  it("is repeated after a crash, with the same intent", async () => {
    const { deps } = setUp();
    expect(await runCommand.reconcile(ON_CHANGE, "i-1", deps)).toEqual({ kind: "not-done" });
  });
});
