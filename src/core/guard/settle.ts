import { type Emitted, onFleet, onProject, onSession } from "../event.ts";
import { shortCommit } from "../hash.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import { conditionHolds } from "../reaction/condition.ts";
import { decideRestore } from "../session/decide-command.ts";
import { bringBack } from "../settle-archive.ts";
import { sizeOf } from "../text.ts";
import { isPaused, type World } from "../world.ts";
import { judgeMain, mainChecks, nextStep } from "./guard.ts";
import type { BrokenMain } from "./state.ts";
import { nameOfCulprit } from "./status.ts";
import { evidenceFor } from "./text.ts";

/** What follows for the bases of projects: they are watched, break, and are repaired. */
export function settleMains(world: World): readonly Emitted[] {
  return [...world.projects()].flatMap((project) => {
    const { policy, removed, baseHead } = project;
    if (removed || policy === null || baseHead === null || mainChecks(policy).length === 0) return [];
    return settleMain(world, { ...project, policy, baseHead });
  });
}

type Watched = ProjectState & { readonly policy: ProjectPolicy; readonly baseHead: string };

function settleMain(world: World, project: Watched): readonly Emitted[] {
  const { id, policy, baseHead, main } = project;
  const { watched = null, green = null, broken = null } = main ?? {};
  const verdict = judgeMain(project, policy);
  if (watched !== null && verdict === "green" && (green !== watched || broken?.isReturned === true))
    return onProject(id, { type: "main.passed", commit: watched });
  if (watched !== null && typeof verdict === "object" && isNews(broken, watched))
    return onProject(id, { type: "main.broke", commit: watched, check: verdict.red });
  const step = nextStep(world, project);
  if (step?.kind === "found") return blame(world, project, step.suspect);
  if (broken !== null && broken.revert !== null && !broken.isReturned && !isPaused(world, id))
    return giveBack(world, project, broken);
  return watched === baseHead || (watched !== null && verdict === "pending")
    ? []
    : onProject(id, { type: "main.watched", commit: baseHead });
}

// If it is red after its culprit was reverted, there is another culprit.
function isNews(broken: BrokenMain | null, watched: string): boolean {
  if (broken === null) return true;
  return broken.revert !== null && broken.isReturned && broken.commit !== watched;
}

function blame(
  world: World,
  project: Watched,
  { key, commit }: { readonly key: string | null; readonly commit: string },
): readonly Emitted[] {
  const { id, name, policy, main, defaultBranch } = project;
  const rule = policy.reactions["main-broken"];
  const blamed = onProject(id, { type: "main.blamed", key, commit });
  const check = main?.broken?.check ?? "";
  const event = { key: "main-broken", text: check, subject: id, messages: 0 };
  const isMet = rule?.condition == null || conditionHolds(rule.condition, { event });
  if (rule !== undefined && (!rule.auto || rule.action !== "notify" || !isMet)) return blamed;
  const culprit = key === null ? null : nameOfCulprit(world, key);
  const broke =
    culprit === null
      ? `fails on ${shortCommit(commit)}; no merge of ao is known to have broken it`
      : `fails since ${culprit} (${shortCommit(commit)})`;
  return [
    ...blamed,
    ...onFleet({
      type: "notice.raised",
      id: `project:${id}/main-broken/${commit}/${main?.broken?.at ?? 0}`,
      priority: rule?.priority ?? "urgent",
      key: "main-broken",
      title: `${name}: ${defaultBranch} is red`,
      text: rule?.message ?? `Check \`${check}\` ${broke}.`,
      projectId: id,
      sessionId: null,
      act: culprit === null ? null : `ao pr show "${culprit}" --project ${id}`,
    }),
  ];
}

// The session comes back first; its message follows once it is there.
function giveBack(world: World, project: Watched, broken: BrokenMain): readonly Emitted[] {
  const change = world.change(broken.culprit?.key ?? "");
  if (change === undefined) return [];
  const { key } = change;
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const returned = (sessionId: string | null): readonly Emitted[] =>
    onProject(project.id, { type: "main.returned", key, sessionId });
  if (session === undefined) return returned(null);
  if (session.phase === "stopping") return [];
  if (session.phase === "stopped") {
    const decision = decideRestore(world, session, { type: "session.restore", sessionId: session.id });
    return decision.kind === "accepted" ? bringBack(world, decision.events) : returned(null);
  }
  const text = evidenceFor(project, change, broken);
  const id = `main-${change.number}-${shortCommit(broken.commit)}`;
  const message = { type: "message.queued", id, kind: "message", replyTo: null, text, bytes: sizeOf(text) } as const;
  return [...onSession(session.id, message), ...returned(session.id)];
}
