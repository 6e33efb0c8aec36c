import type { ChangeState } from "../change/state.ts";
import type { CommandRun } from "../command/command-run.ts";
import type { Emitted } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { runsOnChanges } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import { type StreamId, splitStream } from "../stream.ts";
import type { World } from "../world.ts";
import type { HookCommand, HookPoint } from "./hook.ts";

/** Something that happened, and commands may be about. */
interface Moment {
  readonly point: HookPoint;
  /** Tells it from another time at which the same happens to the same session or pull request. */
  readonly occurrence: string;
  readonly text: string;
}

/** The commands that follow an event which has just happened; called once for each, with the state after it. */
export function announceHooks(world: World, { stream, event }: Emitted): readonly Emitted[] {
  const policy = policyOf(world, stream);
  if (policy?.hooks === undefined) return [];
  const moment = momentOf(world, { stream, event }, policy);
  if (moment === null) return [];
  const { point, occurrence, text } = moment;
  return (policy.hooks[point] ?? []).map((hook, index) => {
    const id = `${point}-${occurrence}-${index + 1}`;
    return { stream, event: { type: "command.queued", id, cause: point, text, ...commandOf(hook) } };
  });
}

function commandOf(hook: HookCommand): Pick<CommandRun, "run" | "module" | "timeoutMs"> {
  if ("run" in hook) return hook;
  const { timeoutMs, ...module } = hook;
  return { run: module.module, module, timeoutMs };
}

function policyOf(world: World, stream: StreamId): ProjectPolicy | null {
  const { kind, id } = splitStream(stream);
  const owner = kind === "change" ? world.change(id) : kind === "session" ? world.session(id) : undefined;
  return owner === undefined ? null : (world.project(owner.projectId)?.policy ?? null);
}

function momentOf(world: World, { stream, event }: Emitted, policy: ProjectPolicy): Moment | null {
  const { id } = splitStream(stream);
  const change = world.change(id);
  switch (event.type) {
    case "workspace.created": {
      const occurrence = String(world.session(id)?.workspace.generation ?? 1);
      return { point: "after-workspace-created", occurrence, text: `worktree of ${event.branch} created` };
    }
    case "change.opened":
      return { point: "after-pr-opened", occurrence: "1", text: `pull request #${event.number} opened` };
    case "check.finished":
      return change === undefined ? null : checksOver(change, policy);
    case "change.merged": {
      const commit = shortCommit(event.commit);
      return { point: "after-merge", occurrence: commit, text: `merged as ${commit}` };
    }
    default:
      return null;
  }
}

function checksOver({ checks, head, number }: ChangeState, policy: ProjectPolicy): Moment | null {
  const awaited = Object.entries(policy.checks).filter(([, rule]) => runsOnChanges(rule));
  const runs = Object.values(checks);
  const isOver = runs.every(({ state }) => state !== "queued" && state !== "running");
  if (!isOver || awaited.some(([name]) => checks[name] === undefined)) return null;
  const attempts = runs.reduce((sum, { attempt }) => sum + attempt, 0);
  const red = runs.filter(({ state }) => state !== "passed").map(({ name }) => name);
  const result = red.length === 0 ? "passed" : `failed: ${red.join(", ")}`;
  return {
    point: "on-ci-finished",
    occurrence: `${shortCommit(head)}-${attempts}`,
    text: `checks of #${number} ${result}`,
  };
}
