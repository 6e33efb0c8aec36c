import type { PluginRef, ProjectConfig } from "../../config/config.ts";
import type { Said } from "../../core/change/trust.ts";
import { AoError } from "../../core/errors.ts";
import { writeOutHidden } from "../../core/hidden-characters.ts";
import { isSameIssue, issueReference, normalizeIssue } from "../../core/name.ts";
import type { PluginUse } from "../../core/plugin-use.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { Issue, Tracker } from "../../ports/tracker.ts";
import type { CreateSessionBody } from "../../protocol/bodies/session.ts";
import type { Kernel } from "../kernel.ts";

/** What the issue in a request refers to. */
export interface TaskIssue {
  /** The tracker's record, and whether someone other than the user may have written it; null: no record. */
  readonly issue: (Issue & { readonly isForeign: boolean }) | null;
  /** Who wrote it; null: the user, or there is no record. */
  readonly author: Said | null;
  /** What the session is named after and found by. */
  readonly id: string | null;
  /** A link that the tracker does not know: all that the agent can get. */
  readonly link: string | null;
}

/** Finds an issue in the project's tracker; a missing one needs a title. */
export async function readIssue(
  kernel: Kernel,
  project: ProjectState,
  config: ProjectConfig | undefined,
  body: Pick<CreateSessionBody, "issue" | "title" | "now">,
): Promise<TaskIssue> {
  if (body.issue === undefined) return { issue: null, author: null, id: null, link: null };
  const id = normalizeIssue(body.issue);
  const use = toUse(config?.tracker ?? null, "local");
  const tracker = kernel.plugins.has("tracker", use.plugin) ? kernel.plugins.get("tracker", use, project.path) : null;
  const [found] = tracker === null ? [] : await tracker.get([id]);
  const link = /^https?:\/\//.test(body.issue) ? body.issue : null;
  if (tracker !== null && found !== undefined && (link === null || isSameIssue(link, found.url ?? ""))) {
    if (body.now !== true) await requireDependencies(tracker, found);
    return { ...withAuthor(found, tracker), id: found.id, link: null };
  }
  if (body.title === undefined) throw unknown(project, link ?? id, link !== null);
  // Our own issue with that number is another one: the session must neither claim nor close it.
  return { issue: null, author: null, id: found === undefined ? id : null, link };
}

// Where anyone may write, somebody of whom nothing is known is a stranger.
function withAuthor(issue: Issue, { isOwn }: Tracker): Pick<TaskIssue, "issue" | "author"> {
  if (isOwn === true) return { issue: { ...issue, isForeign: false }, author: null };
  const { name = "somebody", access = "none" } = issue.author ?? {};
  return { issue: { ...issue, isForeign: true }, author: { author: writeOutHidden(name), access } };
}

/** The prompt for the agent, with the link it is about. */
export function withLink(prompt: string | null, title: string, link: string | null): string | null {
  return link === null ? prompt : `${prompt ?? title}\n\nIssue: ${link}`;
}

/** The configured plugin, or the default. */
export function toUse(ref: PluginRef | null, fallback: string): PluginUse {
  return ref === null ? { plugin: fallback, config: {} } : { plugin: ref.plugin, config: ref.config };
}

function unknown(project: ProjectState, written: string, isLink: boolean): AoError {
  return new AoError({
    code: "task-unknown",
    message: `The tracker of ${project.id} has no issue ${isLink ? "at " : ""}${written}.`,
    hint: isLink
      ? `Give a title, and the agent gets the link as text: \`ao new "title" --issue ${written}\`.`
      : 'List them with `ao issue list`, or give a title: `ao new "title" --issue ...`.',
  });
}

/** An issue waits for its dependencies, unless the person wants it now. */
async function requireDependencies(tracker: Tracker, issue: Issue): Promise<void> {
  const open = (await tracker.get(issue.dependsOn)).filter(({ state }) => state === "open");
  if (open.length === 0) return;
  const names = open.map(({ id, title }) => `${issueReference(id)} (${title})`).join(", ");
  throw new AoError({
    code: "conflict",
    message: `Issue ${issue.id} depends on ${names}, which ${open.length === 1 ? "is" : "are"} open.`,
    hint: `Finish ${open.length === 1 ? "it" : "them"} first, or start anyway: \`ao spawn ${issue.id} --now\`.`,
  });
}
