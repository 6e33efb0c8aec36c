import { expect, it } from "vitest";
import type { ExecRequest, Host } from "../../ports/host.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeMachine } from "../../testing/fakes/host.ts";
import { requireAssignable } from "./require-assignable.ts";

const hooks = { "before-task-assigned": [{ run: "./is-allowed.sh", timeoutMs: 5000 }] };
const task = { config: undefined, shell: {}, title: "Fix it", issue: "42" };

/** A machine on which every command ends with this code. */
function openMachine(code: number): { readonly host: Host; readonly ran: ExecRequest[] } {
  const ran: ExecRequest[] = [];
  const { host } = createFakeMachine({
    clock: createFakeClock(0),
    exec: async (request) => {
      ran.push(request);
      return { code, stdout: "", stderr: "not during the freeze" };
    },
  });
  return { host, ran };
}

it("a task is assigned when its hook agrees, which is told the task", async () => {
  const { host, ran } = openMachine(0);
  await requireAssignable({ host }, { id: "demo", path: "/repo", policy: aPolicy({ hooks }) }, task);
  expect(ran).toMatchObject([{ cwd: "/repo", timeoutMs: 5000 }]);
  expect(ran[0]?.exactEnv).toMatchObject({ AO_EVENT: "before-task-assigned", AO_TEXT: "Fix it", AO_ISSUE: "42" });
});

it("a task is not assigned when its hook fails, with what the hook said", async () => {
  const { host } = openMachine(1);
  const assigned = requireAssignable({ host }, { id: "demo", path: "/repo", policy: aPolicy({ hooks }) }, task);
  await expect(assigned).rejects.toMatchObject({
    code: "conflict",
    message: "hook before-task-assigned refused: exit code 1: not during the freeze",
  });
});

it("a hook in code gets the task, of which nothing exists yet", async () => {
  const { host, ran } = openMachine(0);
  const policy = aPolicy({ hooks: { "before-task-assigned": [{ module: "acme", from: "/repo", timeoutMs: 5000 }] } });
  await requireAssignable({ host }, { id: "demo", path: "/repo", policy }, task);
  expect(JSON.parse(String(ran[0]?.stdin)).context).toEqual({
    ...{ point: "before-task-assigned", sentence: "Fix it", project: "demo", issue: "42", folder: "/repo" },
    ...{ session: null, branch: null, pullRequest: null, intent: null },
  });
});

it("no program is started where there is no hook", async () => {
  const { host, ran } = openMachine(1);
  await requireAssignable({ host }, { id: "demo", path: "/repo", policy: aPolicy() }, task);
  expect(ran).toEqual([]);
});
