import type { ChangeState } from "../change/state.ts";
import type { SessionState } from "../session/state.ts";

/** The current text of a session's comment on its issue; null: nothing to say yet. */
export function describeWork(session: SessionState, changes: Iterable<ChangeState>): string | null {
  if (session.issue === null || session.role !== "worker") return null;
  const all = [...changes];
  const merged = all.find(({ phase }) => phase === "merged");
  if (merged !== undefined)
    return `Merged with ${nameOf(merged)} as ${(merged.merged?.commit ?? merged.head).slice(0, 12)}.`;
  if (session.phase === "stopped")
    return `ao stopped working on this; session \`${session.id}\` ended without a merge.`;
  const open = all.find(({ phase }) => phase === "open");
  if (open !== undefined) return `ao opened ${nameOf(open)} for this; session \`${session.id}\`.`;
  if (session.workspace.state !== "ready") return null;
  return `ao is working on this; session \`${session.id}\`, branch \`${session.branch}\`.`;
}

/** A number without a page is not the tracker's: as #3 it would become a link to something else. */
function nameOf({ number, url, branch }: ChangeState): string {
  return url === undefined ? `a local pull request of branch \`${branch}\`` : `[pull request #${number}](${url})`;
}
