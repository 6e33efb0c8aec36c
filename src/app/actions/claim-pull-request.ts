import { branchFor, composeClaim, forkOf, refuseClaim } from "../../core/change/claim.ts";
import type { ClaimedChange, FoundChange } from "../../core/change/found-change.ts";
import { changeOnForge } from "../../core/change/key.ts";
import type { ChangeState } from "../../core/change/state.ts";
import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import { storeWords } from "../../core/reaction/template.ts";
import type { ForgeClaims } from "../../ports/scm.ts";
import type { CreateSessionBody } from "../../protocol/bodies/session.ts";
import type { Kernel } from "../kernel.ts";
import { isProtectedThere, requireNoAlias } from "./require-own-branch.ts";
import { readText, storeText } from "./store-text.ts";

/** What a session needs to know about the pull request it claims. */
export interface Claim {
  readonly title: string;
  readonly branch: string;
  readonly pullRequest: ClaimedChange;
  /** The first message for its agent. */
  readonly task: string;
}

/** Finds the pull request that a session request names, and fetches its branch; null if it names none. */
export async function claimPullRequest(
  kernel: Kernel,
  project: ProjectState,
  body: Pick<CreateSessionBody, "pullRequest" | "issue" | "branch" | "prompt"> & { readonly mark: string },
): Promise<Claim | null> {
  const { pullRequest: number, prompt = null, mark } = body;
  if (number === undefined) return null;
  if (body.issue !== undefined || body.branch !== undefined) {
    const hint = `Leave issue and branch out: \`ao claim-pr ${number}\`.`;
    throw new AoError({ code: "usage", message: "A claimed pull request brings its own branch.", hint });
  }
  // A repeated request after a lost answer must not ask the forge: the core knows the answer.
  const known = changeOnForge(kernel.engine.loop.world.view, project.id, number);
  if (known !== undefined) return again(known);
  const claims = claimsOf(kernel, project, number);
  const found = await findClaimable({ kernel, project, claims }, number);
  const [branch, fork] = [branchFor(found), forkOf(found)];
  await requireNoAlias(kernel, project, {
    branch,
    hint: `Delete it: \`git symbolic-ref --delete refs/heads/${branch}\`.`,
  });
  const head = await claims.fetchBranch(project, branch, fork === null ? undefined : found.ref);
  const { title, url, author, authorAccess } = found;
  const text =
    found.body.trim() === ""
      ? null
      : await storeWords(found.body, async (words) => (await storeText(kernel.store, words)).text);
  const task = await readText(kernel.store, composeClaim(found, { body: text, prompt, mark }));
  const origin = {
    ...(fork === null ? {} : { fork }),
    ...(authorAccess === undefined ? {} : { authorAccess }),
  };
  return { title, branch, pullRequest: { number, url, author, body: text, head, ...origin }, task };
}

function again({ number, url = "", openedBy: author, body, head, title, branch }: ChangeState): Claim {
  return { title, branch, pullRequest: { number, url, author, body, head }, task: title };
}

function claimsOf(kernel: Kernel, { id, path, policy }: ProjectState, number: number): ForgeClaims {
  const use = policy?.scm ?? { plugin: "local", config: {} };
  const { remote } = kernel.plugins.get("scm", use, path);
  if (remote?.claims !== undefined) return remote.claims;
  throw new AoError({
    code: "unsupported",
    message:
      remote === undefined
        ? `There is no #${number} to claim: ${id} has no forge, and ao opens its pull requests itself.`
        : `Pull requests on ${use.plugin} cannot be claimed yet.`,
    hint: '`ao new "title" --branch NAME` starts an agent on a branch that exists.',
  });
}

interface Forge {
  readonly kernel: Kernel;
  readonly project: ProjectState;
  readonly claims: ForgeClaims;
}

async function findClaimable({ kernel, project, claims }: Forge, number: number): Promise<FoundChange> {
  const found = await claims.find(project, number);
  if (found === null) {
    const hint = "Check the number; an issue is not a pull request.";
    throw new AoError({ code: "not-found", message: `${nameOf(project)} has no pull request #${number}.`, hint });
  }
  const isProtected = !found.isFork && (await isProtectedThere(kernel, project.id, found.branch));
  const refusal = refuseClaim(kernel.engine.loop.world.view, { ...project, isProtected }, found);
  if (refusal !== null) throw new AoError({ code: "conflict", ...refusal });
  return found;
}

function nameOf({ id, repo }: ProjectState): string {
  return repo ?? id;
}
