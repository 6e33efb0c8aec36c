import { describe, expect, it } from "vitest";
import { AoError } from "../core/errors.ts";
import { describeHook } from "../core/hook/describe-hook.ts";
import type { ExecRequest, ExecResult, Host } from "../ports/host.ts";
import { aChange } from "../testing/change-builders.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakeMachine } from "../testing/fakes/host.ts";
import { askHooks } from "./run-hooks.ts";

const context = describeHook(aChange({ title: "Fix; rm -rf /", labels: ["hot"] }), {
  ...{ point: "before-merge", sentence: "#1 is about to be merged", folder: "/repo", intent: "i-1" },
});

function aHost(exec: Host["exec"]): Host {
  return createFakeMachine({ clock: createFakeClock(0), exec }).host;
}

/** A shell in which commands end as their name says: `ok`, `no`, `slow`. */
function openShell(): { readonly host: Host; readonly ran: string[] } {
  const ran: string[] = [];
  const exec: Host["exec"] = async ({ args, timeoutMs }) => {
    const command = args.at(-1) ?? "";
    ran.push(command);
    if (command === "slow") throw new Error(`sh took longer than ${(timeoutMs ?? 0) / 1000} s`);
    return command === "no"
      ? { code: 1, stdout: "", stderr: "not today\n" }
      : { code: 0, stdout: "fine\n", stderr: "" };
  };
  return { host: aHost(exec), ran };
}

describe("the hooks of a point", () => {
  it.each([
    ["all agree", ["ok", "ok"], null, ["ok", "ok"]],
    ["one fails", ["ok", "no", "ok"], "hook before-merge refused: exit code 1: not today", ["ok", "no"]],
    ["one takes too long", ["slow", "ok"], "hook before-merge refused: sh took longer than 5 s", ["slow"]],
    ["there are none", [], null, []],
  ])("when %s", async (_, commands, refusal, expected) => {
    const { host, ran } = openShell();
    const hooks = { "before-merge": commands.map((run) => ({ run, timeoutMs: 5000 })) };
    expect(await askHooks(host, { hooks, context, env: {} })).toBe(refusal);
    expect(ran).toEqual(expected);
  });
});

describe("a hook in code", () => {
  const hooks = { "before-merge": [{ module: "/repo/hooks.mjs", from: "/repo", timeoutMs: 5000 }] };

  it("gets the facts by standard input, in the folder and environment of a command", async () => {
    const ran: ExecRequest[] = [];
    const host = aHost(async (request) => {
      ran.push(request);
      return { code: 0, stdout: "", stderr: "" };
    });
    expect(await askHooks(host, { hooks, context, env: { AO_INTENT: "i-1" } })).toBeNull();
    expect(ran).toMatchObject([{ cwd: "/repo", exactEnv: { AO_INTENT: "i-1" }, timeoutMs: 5000 }]);
    expect(JSON.parse(String(ran[0]?.stdin))).toEqual({ module: "/repo/hooks.mjs", from: "/repo", context });
    expect(context.pullRequest).toMatchObject({ title: "Fix; rm -rf /", labels: ["hot"], url: null });
    expect(JSON.stringify([ran[0]?.program, ran[0]?.args])).not.toContain("Fix");
  });

  it.each<[string, ExecResult, string]>([
    ["its reason", { code: 1, stdout: "not today", stderr: "a trace" }, "not today"],
    ["what it printed", { code: 1, stdout: "", stderr: "a trace\n" }, "a trace"],
    ["its exit code", { code: 7, stdout: "", stderr: "" }, "exit code 7"],
  ])("refuses with %s", async (_, ended, reason) => {
    const host = aHost(async () => ended);
    expect(await askHooks(host, { hooks, context, env: {} })).toBe(`hook before-merge refused: ${reason}`);
  });

  it("that takes too long is named in the refusal, not the program that calls it", async () => {
    const host = aHost(({ program, args }) => {
      const message = `${program} ${args.join(" ")} did not end within 5 s`;
      return Promise.reject(new AoError({ code: "timeout", message }));
    });
    expect(await askHooks(host, { hooks, context, env: {} })).toBe(
      "hook before-merge refused: /repo/hooks.mjs did not end within 5 s",
    );
  });
});
