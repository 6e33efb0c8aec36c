import { describe, expect, it } from "vitest";
import { HOOK_POINTS, type HookCommand, type HookPoint, type ModuleCall } from "../core/hook/hook.ts";
import type { ExecRequest, Host } from "../ports/host.ts";
import { aCreate } from "../testing/builders.ts";
import { aCheckRule, aPolicy } from "../testing/change-builders.ts";
import { REPO } from "../testing/engine-bed/deps.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { CHANGE, createPerson, type Person, registerProject, SESSION } from "../testing/engine-bed/story.ts";

const MINUTE = 60_000;

interface Scene {
  readonly bed: EngineBed;
  readonly person: Person;
  /** Commands of hooks that ran, in order. */
  readonly ran: readonly ExecRequest[];
  /** Exit codes of the hooks at these points; all others end with 0. */
  readonly codes: Map<HookPoint, number>;
}

/** An issue whose session begins, with a hook at every point that is known by its name. */
async function openScene(codes: readonly (readonly [HookPoint, number])[] = []): Promise<Scene> {
  const ran: ExecRequest[] = [];
  const answers = new Map(codes);
  const exec: Host["exec"] = async (request) => {
    ran.push(request);
    const code = answers.get(request.args.at(-1) as HookPoint) ?? 0;
    return { code, stdout: "", stderr: code === 0 ? "" : "not today" };
  };
  const scene = await beginWith(exec, (point) => ({ run: point, timeoutMs: 5000 }));
  return { ...scene, ran, codes: answers };
}

/** An issue whose session begins, with one hook at every point. */
async function beginWith(
  exec: Host["exec"],
  hookAt: (point: HookPoint) => HookCommand,
): Promise<Pick<Scene, "bed" | "person">> {
  const bed = await openEngineBed({ host: (host) => ({ ...host, exec }) });
  const person = createPerson(bed);
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  const hooks = Object.fromEntries(HOOK_POINTS.map((point) => [point, [hookAt(point)]]));
  const policy = aPolicy({ checks: { unit: aCheckRule({ run: "cat made.txt", setup: "" }) }, hooks });
  await person.command({ type: "project.policy", id: "demo", policy }, "policy with hooks");
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  return { bed, person };
}

async function approve({ person }: Scene): Promise<void> {
  await person.until("the check", () => person.change()?.checks["unit"]?.state === "passed");
  const review = { reviewId: "rv-1", author: "ann", verdict: "approve", body: null, comments: [], head: null } as const;
  await person.command({ type: "change.review", key: CHANGE, ...review }, "approve");
}

const namesOf = ({ ran }: Scene): readonly string[] => ran.map(({ args }) => args.at(-1) ?? "");

describe("the hooks in the life of an issue", () => {
  it("run at their points, once each, in order", async () => {
    const scene = await openScene();
    const { person, bed } = scene;
    await approve(scene);
    await person.until("the end of the session", () => person.session()?.phase === "stopped");
    await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
    const names = namesOf(scene);
    expect(names.slice(0, -2)).toEqual([
      "after-workspace-created",
      "before-agent-started",
      "after-pr-opened",
      "on-ci-finished",
      "before-merge",
    ]);
    // The clean-up does not wait for what comes after the merge.
    expect(names.slice(-2).sort()).toEqual(["after-merge", "before-cleanup"]);
  });

  it("are told what happened to whom, and how long they may take", async () => {
    const scene = await openScene();
    await approve(scene);
    await scene.person.until("the merge", () => scene.person.change()?.phase === "merged");
    const of = (point: HookPoint) => scene.ran.find(({ args }) => args.at(-1) === point);
    expect(of("before-merge")).toMatchObject({ cwd: REPO, timeoutMs: 5000 });
    expect(of("before-merge")?.exactEnv).toMatchObject({
      AO_EVENT: "before-merge",
      AO_PROJECT: "demo",
      AO_SESSION: SESSION,
      AO_PULL_REQUEST: "1",
      AO_HEAD: scene.person.change()?.head,
    });
    expect(of("on-ci-finished")?.exactEnv).toMatchObject({ AO_TEXT: "checks of #1 passed" });
  });
});

/** The same with code instead of commands, which agrees everywhere but at these points. */
async function openCodeScene(refusing: readonly HookPoint[] = []): Promise<Scene & { readonly calls: ModuleCall[] }> {
  const calls: ModuleCall[] = [];
  const exec: Host["exec"] = async ({ stdin }) => {
    const call = JSON.parse(String(stdin)) as ModuleCall;
    calls.push(call);
    const isRefused = refusing.includes(call.context.point);
    return isRefused ? { code: 1, stdout: "not on Fridays", stderr: "" } : { code: 0, stdout: "", stderr: "" };
  };
  const module = { module: "/repo/ao-hooks.mjs", from: "/repo", timeoutMs: 5000 };
  return { ...(await beginWith(exec, () => module)), ran: [], codes: new Map(), calls };
}

describe("hooks in code", () => {
  it("are called at the same points, with the same facts", async () => {
    const scene = await openCodeScene();
    const { person, bed, calls } = scene;
    await approve(scene);
    await person.until("the end of the session", () => person.session()?.phase === "stopped");
    await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
    // The action that creates a session asks about the task.
    const expected = HOOK_POINTS.filter((point) => point !== "before-task-assigned");
    expect(calls.map(({ context }) => context.point).sort()).toEqual([...expected].sort());
    const of = (point: HookPoint) => calls.find(({ context }) => context.point === point);
    expect(of("before-agent-started")).toMatchObject({
      context: { session: SESSION, issue: "1", pullRequest: null, folder: expect.not.stringMatching(`^${REPO}$`) },
    });
    const pullRequest = { number: 1, base: "main", head: person.change()?.head, labels: [], url: null };
    expect(of("after-merge")).toMatchObject({
      ...{ module: "/repo/ao-hooks.mjs", from: "/repo" },
      context: { sentence: expect.stringMatching(/^merged as /), session: SESSION, folder: REPO, pullRequest },
    });
  });

  it("refuse a merge with their reason", async () => {
    const scene = await openCodeScene(["before-merge"]);
    const { person, bed } = scene;
    const base = bed.world.repository.head("main");
    await approve(scene);
    await person.until("the refusal", () => person.change()?.refusal != null);
    expect(person.change()?.refusal?.reason).toContain("hook before-merge refused: not on Fridays");
    expect(bed.world.repository.head("main")).toBe(base);
  });

  it("that fail after something happened take nothing back, and a person is notified", async () => {
    const scene = await openCodeScene(["after-pr-opened"]);
    await approve(scene);
    await scene.person.until("the merge", () => scene.person.change()?.phase === "merged");
    const events = await scene.bed.store.read(0, Number.MAX_SAFE_INTEGER);
    const notices = events.flatMap(({ event }) => (event.type === "notice.raised" ? [event] : []));
    expect(notices).toContainEqual(
      expect.objectContaining({ title: "#1: the command for after-pr-opened failed", text: "not on Fridays" }),
    );
  });
});

describe("a hook that fails", () => {
  it("before a merge keeps the base as it is, and a person hears why", async () => {
    const scene = await openScene([["before-merge", 1]]);
    const { person, bed } = scene;
    const base = bed.world.repository.head("main");
    await approve(scene);
    await person.until("the refusal", () => person.change()?.refusal != null);
    expect(person.change()?.refusal?.reason).toContain("hook before-merge refused: exit code 1: not today");
    expect(bed.world.repository.head("main")).toBe(base);
    await bed.advance(MINUTE);
    expect(namesOf(scene).filter((name) => name === "before-merge")).toHaveLength(1);
    expect(Object.keys(person.change()?.problems ?? {})).toContain("merge-failed");
  });

  it("before the agent starts keeps it from starting", async () => {
    const scene = await openScene([["before-agent-started", 3]]);
    await scene.bed.advance(1000);
    expect(scene.bed.world.diary).toEqual([]);
    expect(scene.person.session()?.run.evidence).toContain("hook before-agent-started refused: exit code 3");
  });

  it("before the clean-up keeps the worktree", async () => {
    const scene = await openScene([["before-cleanup", 1]]);
    await approve(scene);
    await scene.person.until("the end of the session", () => scene.person.session()?.phase === "stopped");
    expect(scene.person.session()?.workspace).toMatchObject({ state: "kept", reason: expect.stringContaining("hook") });
  });

  it("after something happened takes nothing back, and a person hears of it", async () => {
    const scene = await openScene([["after-pr-opened", 1]]);
    await approve(scene);
    await scene.person.until("the merge", () => scene.person.change()?.phase === "merged");
    const events = await scene.bed.store.read(0, Number.MAX_SAFE_INTEGER);
    const titles = events.flatMap(({ event }) => (event.type === "notice.raised" ? [event.title] : []));
    expect(titles).toContain("#1: the command for after-pr-opened failed");
  });
});
