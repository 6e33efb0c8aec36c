import { nameOfChange } from "../change/key.ts";
import { type Emitted, onProject, onSession } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { withdrawNotices } from "../notice/withdraw.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import { markFrom, seedOf } from "../reaction/mark.ts";
import { decideRestore } from "../session/decide-command.ts";
import { bringBack } from "../settle-archive.ts";
import { sizeOf } from "../text.ts";
import { isPaused, type World } from "../world.ts";
import { isOwed } from "./evolve.ts";
import { judgeMain, mainChecks, nextStep } from "./guard.ts";
import { mainBrokenNotice, mainNotices } from "./notice.ts";
import type { BrokenMain } from "./state.ts";
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
  if (watched !== null && verdict === "green" && (green !== watched || isOver(broken)))
    return [
      ...onProject(id, { type: "main.passed", commit: watched }),
      ...mainChecks(policy).flatMap((check) => withdrawNotices(world, mainNotices(id, check))),
    ];
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

// Also on the commit that was green before: somebody reset the base to it. A task that still has to return keeps it broken.
function isOver(broken: BrokenMain | null): boolean {
  return broken !== null && !isOwed(broken);
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
  const check = project.main?.broken?.check ?? "";
  return [
    ...onProject(project.id, { type: "main.blamed", key, commit }),
    ...mainBrokenNotice(project, { check, commit, culprit: key === null ? null : nameOfChange(world, key) }),
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
  const id = `main-${change.number}-${shortCommit(broken.commit)}`;
  const text = evidenceFor(project, change, { broken, mark: markFrom(seedOf(session), id) });
  const message = { type: "message.queued", id, kind: "message", replyTo: null, text, bytes: sizeOf(text) } as const;
  return [...onSession(session.id, message), ...returned(session.id)];
}
