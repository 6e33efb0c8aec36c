import type { CreateSessionBody } from "../../../../src/protocol/bodies/session.ts";
import type { PermissionLevel } from "../../../../src/protocol/choices.ts";

/** The dialog's input so far; empty text: as in the project. */
export interface Draft {
  readonly text: string;
  readonly issues: readonly string[];
  /** How many agents try the text, each on its own branch. */
  readonly count: number;
  readonly agent: string;
  readonly model: string;
  readonly permissions: PermissionLevel | "";
}

export const EMPTY_DRAFT: Draft = { text: "", issues: [], count: 1, agent: "", model: "", permissions: "" };

/** A draft and the project whose issues it lists. */
export interface KeptDraft {
  readonly project: string;
  readonly draft: Draft;
}

/** The draft for a project: issues belong to one project, everything else stays. */
export function draftFor(kept: KeptDraft, project: string): KeptDraft {
  return kept.project === project ? kept : { project, draft: { ...kept.draft, issues: [] } };
}

/** One session to create; `name` identifies it in an error. */
export interface Planned {
  readonly name: string;
  readonly body: CreateSessionBody;
}

/** The sessions of a draft: one per issue, and the text as often as wanted. */
export function planStart(draft: Draft, projectId: string, isOverLimit: boolean): readonly Planned[] {
  const text = draft.text.trim();
  const shared: CreateSessionBody = {
    projectId,
    ...(draft.agent === "" ? {} : { agent: draft.agent }),
    ...(draft.model.trim() === "" ? {} : { model: draft.model.trim() }),
    ...(draft.permissions === "" ? {} : { permissions: draft.permissions }),
    ...(isOverLimit ? { now: true } : {}),
  };
  const texts =
    text === ""
      ? []
      : Array.from({ length: draft.count }, () => ({ name: firstLine(text), body: { ...shared, prompt: text } }));
  const issues = draft.issues.map((issue) => ({ name: `issue ${issue}`, body: { ...shared, issue } }));
  return [...texts, ...issues];
}

/** The draft without what was created, so that nothing is created twice. */
export function keepRefused(draft: Draft, refused: readonly Planned[]): Draft {
  const copies = refused.filter(({ body }) => body.prompt !== undefined).length;
  return {
    ...draft,
    text: copies === 0 ? "" : draft.text,
    count: Math.max(1, copies),
    issues: refused.flatMap(({ body: { issue } }) => (issue === undefined ? [] : [issue])),
  };
}

/** How full the fleet is. */
export interface Load {
  readonly used: number;
  /** null: unknown. */
  readonly limit: number | null;
  readonly queued: number;
}

/** What will happen to this many new sessions; `isQueued`: at least one of them has to wait. */
export function describeStart(count: number, load: Load): { readonly text: string; readonly isQueued: boolean } {
  const { used, limit, queued } = load;
  if (limit === null)
    return { text: `${agents(used)} busy${queued === 0 ? "" : `, ${queued} queued`}`, isQueued: queued > 0 };
  const free = queued > 0 ? 0 : Math.max(0, limit - used);
  const busy = `${used} of ${limit} agents busy`;
  if (count <= free)
    return { text: `${count > 1 ? `all ${count} start` : "starts"} at once, ${busy}`, isQueued: false };
  const ahead = queued === 0 ? "" : `, ${queued} ahead in the queue`;
  if (free === 0) return { text: `queued: ${busy}${ahead}`, isQueued: true };
  return { text: `${free} of ${count} start now, the others queue: limit of ${limit} agents`, isQueued: true };
}

function agents(count: number): string {
  return count === 1 ? "1 agent" : `${count} agents`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
