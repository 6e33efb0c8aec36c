import { type Emitted, onChange, onSession } from "../event.ts";
import { type CommandOf, type Decision, reject } from "../input.ts";
import type { ProjectState } from "../project/state.ts";
import { fence, joinTexts, lineOf } from "../reaction/template.ts";
import { describeShared } from "../session/own-branch.ts";
import type { SessionState } from "../session/state.ts";
import type { StoredText } from "../text.ts";
import type { World } from "../world.ts";
import type { ClaimedChange, ForkBranch, FoundChange } from "./found-change.ts";
import { changeOnForge, freeKey } from "./key.ts";
import { openChangeOn } from "./open.ts";
import type { ChangeState } from "./state.ts";
import { isTrusted } from "./trust.ts";

interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** Why a session cannot claim a pull request on the forge; null: it can. */
export function refuseClaim(
  world: World,
  project: { readonly id: string; readonly defaultBranch: string; readonly isProtected?: boolean },
  found: FoundChange,
): Refusal | null {
  const { number, state, isFork, base } = found;
  if (state !== "open") {
    const hint = state === "merged" ? "Its commits are part of the base." : "Reopen it on the forge first.";
    return { message: `Pull request #${number} is ${state}.`, hint };
  }
  if (isFork && forkOf(found) === null) return refuseFork(found);
  if (base !== project.defaultBranch) {
    const hint = `Change its base on the forge, or set defaultBranch: ${base} in the project's configuration.`;
    return { message: `Pull request #${number} goes into ${base}, and ao merges into ${project.defaultBranch}.`, hint };
  }
  const branch = branchFor(found);
  const shared = describeShared(branch, { projectId: project.id, ...project });
  if (shared !== null)
    return { message: shared, hint: `Review and merge #${number} as it is: \`ao pr show\`, or the forge.` };
  const holder = findOnBranch(world, project.id, branch);
  if (holder === undefined) return null;
  const hint = `\`ao pr open ${holder.id}\` makes #${number} its pull request.`;
  return { message: `Session ${holder.id} already works on ${branch}, the branch of #${number}.`, hint };
}

/** The fork branch that a pull request comes from, if `ao` may push to it; null: it may not, or there is no fork. */
export function forkOf({ isFork, forkName, maintainersMayEdit, ref, branch }: FoundChange): ForkBranch | null {
  const isEditable = isFork && maintainersMayEdit === true && ref !== undefined;
  return isEditable && forkName != null ? { repository: forkName, branch } : null;
}

/** The local branch for a claimed pull request: a fork's may have the name of one of ours, such as `main`. */
export function branchFor({ isFork, number, branch }: FoundChange): string {
  return isFork ? `pr-${number}` : branch;
}

// What is possible instead is more useful than a plain no.
function refuseFork({ number, forkName = null, ref }: FoundChange): Refusal {
  const from = forkName === null ? "a fork" : `the fork ${forkName}`;
  const message = `Pull request #${number} comes from ${from}, whose author does not let maintainers edit it.`;
  const take =
    ref === undefined ? "push its commits to a branch of this repository" : `run \`git fetch REMOTE ${ref}:NAME\``;
  const hint = `Ask the author to allow it. Or ${take}, then \`ao new "title" --branch NAME\`: an agent continues the work there in its own pull request.`;
  return { message, hint };
}

function findOnBranch(world: World, projectId: string, branch: string): SessionState | undefined {
  for (const session of world.activeSessions(projectId)) {
    if (session.branch === branch && session.phase !== "stopped" && openChangeOn(world, session) === null)
      return session;
  }
  return undefined;
}

/** Decides if the pull request is unclaimed, or rejects with the session that has it. */
export function requireUnclaimed(
  world: World,
  { projectId, pullRequest }: CommandOf<"session.create">,
  then: () => Decision,
): Decision {
  const known = pullRequest === undefined ? undefined : changeOnForge(world, projectId, pullRequest.number);
  if (known === undefined) return then();
  return reject("conflict", `Pull request #${known.number} ${describeOwner(known)}.`, hintFor(world, known));
}

function describeOwner({ phase, sessionId }: ChangeState): string {
  if (phase === "merged") return "is merged";
  return sessionId === null ? "is in ao already" : `already belongs to session ${sessionId}`;
}

function hintFor(world: World, { key, sessionId, phase }: ChangeState): string {
  const isStopped = sessionId !== null && world.session(sessionId)?.phase === "stopped";
  return isStopped && phase !== "merged"
    ? `\`ao restore ${sessionId}\` continues it.`
    : `\`ao pr show ${key}\` shows it.`;
}

type ClaimingProject = Pick<ProjectState, "defaultBranch" | "policy">;

/** Is this the pull request of somebody whose words do not reach agents without a person? */
export function isStrangers(
  { policy }: Pick<ProjectState, "policy">,
  { author, authorAccess: access }: ClaimedChange,
): boolean {
  return !isTrusted({ author, ...(access === undefined ? {} : { access }) }, policy?.trust);
}

/** The claimed pull request, recorded with its session: it is already on the forge, so nothing has to be done there. */
export function recordClaim(
  world: World,
  session: Pick<SessionState, "id" | "projectId" | "issue" | "title" | "branch">,
  { project, claimed }: { readonly project: ClaimingProject; readonly claimed: ClaimedChange },
): readonly Emitted[] {
  const { id: sessionId, projectId, issue, title, branch } = session;
  const { number, url, author: by, body, head, fork } = claimed;
  const { defaultBranch: base } = project;
  const facts = { projectId, number, sessionId, issue, title, body, branch, base, head };
  const where = { url, isRemote: true, ...(fork === undefined ? {} : { fork }) } as const;
  const key = freeKey(world, projectId, number);
  const taken = key === `${projectId}/${number}` ? {} : { key };
  return [
    ...onChange(key, { type: "change.opened", ...facts, ...taken, by, ...where }),
    // The agent works on a stranger's text and code, so a person decides whether it is merged.
    ...(isStrangers(project, claimed) ? onSession(sessionId, { type: "untrusted.read", from: by }) : []),
  ];
}

/** The first message of a session that claims a pull request: the person's own words first, if any. */
export function composeClaim(
  { number, title, url, base }: Pick<FoundChange, "number" | "title" | "url" | "base">,
  { body, prompt, mark }: { readonly body: StoredText | null; readonly prompt: string | null; readonly mark: string },
): StoredText {
  const heading = `You are taking over pull request #${number}, which is open for this branch: ${url}`;
  const first = `Read its commits and its diff against ${base} first.`;
  const rest = `Failed checks and review comments will reach you as messages. Until then, change nothing: end your turn with a short summary of what the pull request does and what is missing.`;
  return joinTexts([
    { inline: `${prompt === null ? "" : `${prompt}\n\n`}${heading}\n\n` },
    fence(
      `title and description of #${number}`,
      joinTexts([{ inline: lineOf(title) }, ...(body === null ? [] : [{ inline: "\n\n" }, body])]),
      mark,
    ),
    { inline: "\n" },
    { inline: prompt === null ? `${first} ${rest}` : first },
  ]);
}
