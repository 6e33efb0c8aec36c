import { shortCommit } from "../hash.ts";
import type { BaseWarning } from "../project/repository.ts";
import type { ProjectState } from "../project/state.ts";
import { shellWord } from "../shell-word.ts";
import { projectStream } from "../stream.ts";
import { actionsOn, type Need } from "./need.ts";
import { type ChangesThere, type RedBase, redOnBase } from "./red-base.ts";

const NO_CHANGES: ChangesThere = { nameOf: (key) => key, isAwaited: () => false };
const NO_SUBJECT = { sessionId: null, pullRequest: null };

/** What of a project's repository needs a person; empty: nothing. */
export function needsOfProject(project: ProjectState, changes: ChangesThere = NO_CHANGES): readonly Need[] {
  const { id, removed, missing = null, baseWarning = null } = project;
  if (removed) return [];
  return [
    ...(missing === null ? [] : [{ ...needOf(id, "repository-missing", missing.at), text: describeMissing(project) }]),
    ...(baseWarning === null ? [] : [warningNeed(project, baseWarning)]),
    ...redOnBase(project, changes).map((red) => redNeed(id, red)),
    ...overtakenNeed(project, changes),
  ];
}

/** Says that a repository is gone, and what to do; empty: it is there. */
export function describeMissing({ id, path, missing = null }: ProjectState): string {
  if (missing === null) return "";
  return `The repository of ${id} is gone from ${path}. If you moved it, run \`ao start\` in its new folder; if not, put it back.`;
}

/** Says what happened to the default branch without `ao`, and how to undo it. */
export function describeBaseWarning({ path, defaultBranch }: ProjectState, warning: BaseWarning): string {
  const { kind, from, head, count, sessions } = warning;
  const by = sessions.length === 0 ? "" : ` by the agent of ${sessions.join(", ")}`;
  const commits = count === 1 ? "1 commit" : `${count} commits`;
  const git = `git -C ${shellWord(path)}`;
  if (head === null) return `${defaultBranch} was deleted${by}; it was at ${shortCommit(from)}.`;
  if (kind === "committed") {
    return `${defaultBranch} got ${commits}${by} that did not go through ao: \`${git} log ${shortCommit(from)}..${shortCommit(head)}\` shows them.`;
  }
  return `${defaultBranch} was rewritten${by}: it lost ${commits} and was at ${shortCommit(from)}. \`${git} branch rescue ${shortCommit(from)}\` keeps them.`;
}

function warningNeed(project: ProjectState, warning: BaseWarning): Need {
  const kind = `base-${warning.kind}`;
  return {
    ...needOf(project.id, kind, warning.at),
    text: describeBaseWarning(project, warning),
    actions: actionsOn(NO_SUBJECT, ["dismiss"]),
    problem: { stream: projectStream(project.id), id: kind },
    occurrence: `${warning.from} ${warning.head ?? ""}`,
  };
}

// It goes away once the check passes there.
function redNeed(projectId: string, { check, commit, text, at }: RedBase): Need {
  const id = `${projectId}/main-broken-${check}`;
  return { ...needOf(projectId, "main-broken", at), id, text, occurrence: commit };
}

/** By chance the base moves once or twice while the checks of a merge run. */
const MAX_RACES = 3;

// It goes away once a merge comes to a result, or nobody wants one.
function overtakenNeed({ id, train, defaultBranch: base }: ProjectState, { nameOf }: ChangesThere): readonly Need[] {
  const { batch = null, overtaken = 0 } = train ?? {};
  if (batch === null || overtaken < MAX_RACES) return [];
  const names = batch.cars.map(({ key }) => nameOf(key)).join(", ");
  const text = `${base} moved ${overtaken} times in a row while the merge of ${names} was being checked. \`ao\` keeps trying; it merges once ${base} stays where it is for as long as the checks take.`;
  // More races are no news.
  return [{ ...needOf(id, "base-moving", batch.at), text, occurrence: names }];
}

function needOf(projectId: string, kind: string, at: number): Omit<Need, "text"> {
  return {
    id: `${projectId}/${kind}`,
    kind,
    at,
    since: at,
    actions: [],
    question: null,
    problem: null,
    attempts: null,
    isDismissed: false,
    occurrence: String(at),
  };
}
