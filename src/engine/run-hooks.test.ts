import { describe, expect, it } from "vitest";
import type { Host } from "../ports/host.ts";
import { askHooks } from "./run-hooks.ts";

/** A shell in which commands end as their name says: `ok`, `no`, `slow`. */
function openShell(): { readonly host: Pick<Host, "exec" | "env">; readonly ran: string[] } {
  const ran: string[] = [];
  const exec: Host["exec"] = async ({ args, timeoutMs }) => {
    const command = args.at(-1) ?? "";
    ran.push(command);
    if (command === "slow") throw new Error(`sh took longer than ${(timeoutMs ?? 0) / 1000} s`);
    return command === "no"
      ? { code: 1, stdout: "", stderr: "not today\n" }
      : { code: 0, stdout: "fine\n", stderr: "" };
  };
  return { host: { exec, env: {} }, ran };
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
    expect(await askHooks(host, { hooks, point: "before-merge", cwd: "/", env: {} })).toBe(refusal);
    expect(ran).toEqual(expected);
  });
});
