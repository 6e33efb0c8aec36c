import { withoutControls } from "../../../core/terminal-text.ts";
import type { MergeRequest } from "../../../ports/scm.ts";
import { failure } from "../../../providers/git/failure.ts";
import { mergeOwn } from "../../../providers/git/scm/merge-tree.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { type Authorship, type DatedRequest, dateEnv, identityEnv, readAuthorship } from "./author.ts";
import { type Build, commitTree, type NewCommit } from "./commit-tree.ts";
import { replay } from "./replay.ts";

/** Builds the merge of a change on a commit of its base, in memory. */
export async function build(tools: ScmTools, request: DatedRequest, base: string): Promise<Build> {
  const cwd = request.project.path;
  const { head, startsAfter } = request;
  const own = startsAfter === undefined ? {} : { startsAfter };
  const merged = await mergeOwn(tools, cwd, { baseHead: base, head, ...own });
  if (merged.kind === "conflict") return merged;
  if (merged.kind === "unknown") {
    throw failure("git-failed", "conflict", {
      message: `#${request.number} cannot be merged into ${request.base}: ${merged.reason}.`,
      hint: "Look at the branch with git log; it may share no commit with its base.",
    });
  }
  const authorship = await readAuthorship(tools, cwd, { base, head, ...own });
  if (request.strategy === "rebase") return replay(tools, request, { base, tree: merged.tree, authorship });
  const parents = request.strategy === "squash" ? [base] : [base, head];
  return {
    kind: "ready",
    tree: merged.tree,
    commit: () => commitTree(tools, cwd, { tree: merged.tree, parents, ...describe(request, authorship) }),
  };
}

function describe(request: DatedRequest, authorship: Authorship): Pick<NewCommit, "message" | "env"> {
  const { author, committer, coAuthors } = authorship;
  // A merge keeps the branch's commits, and with them their authors.
  const named = request.strategy === "squash" ? coAuthors : [];
  const env = { ...identityEnv(author, committer), ...dateEnv(request) };
  return { message: formatMessage(request, named), env };
}

const MAX_SUBJECT_CHARS = 200;
const MAX_BODY_CHARS = 16_000;

/** The message of the commit that merges a change into its base. */
function formatMessage(request: MergeRequest, coAuthors: readonly string[]): string {
  const body = clean(request.body).trim().slice(0, MAX_BODY_CHARS);
  const trailers = [
    ...coAuthors.map((one) => `Co-authored-by: ${one}`),
    `Ao-Change: ${clean(request.project.id).replace(/\s/g, "-")}/${request.number}`,
  ];
  return [formatSubject(request), ...(body === "" ? [] : [body]), trailers.join("\n")].join("\n\n").concat("\n");
}

function formatSubject({ title, number }: MergeRequest): string {
  const mark = `(#${number})`;
  const line = clean(title).replace(/\s+/g, " ").trim().slice(0, MAX_SUBJECT_CHARS);
  if (line.endsWith(mark)) return line;
  return line === "" ? `Change ${mark}` : `${line} ${mark}`;
}

// Git ends a message at NUL, and other control characters do not belong in it.
function clean(text: string): string {
  return withoutControls(text.replace(/\r\n?/g, "\n"));
}
