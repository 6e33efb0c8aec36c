import type { ChangeState } from "../../core/change/state.ts";
import { AoError } from "../../core/errors.ts";
import { shortCommit } from "../../core/hash.ts";
import type { Scm, ScmProject } from "../../ports/scm.ts";
import type { ReviewBody } from "../../protocol/bodies/pull-request.ts";

/**
 * Rejects comments on files or lines that the pull request's commit does not have: an agent would look for them in
 * vain.
 */
export async function checkComments(
  forge: { readonly scm: Scm; readonly project: ScmProject },
  { head, number }: Pick<ChangeState, "head" | "number">,
  comments: NonNullable<ReviewBody["comments"]>,
): Promise<void> {
  const paths = [...new Set(comments.map(({ path }) => path))];
  const counted = await Promise.all(
    paths.map(async (path) => [path, await forge.scm.countLines(forge.project, head, path)] as const),
  );
  const lines = new Map(counted);
  for (const { path, line } of comments) {
    const count = lines.get(path) ?? null;
    if (count === null) throw refuse(number, `There is no file ${path} in #${number} (${shortCommit(head)}).`);
    if (line !== undefined && line > count) {
      const has = count === 1 ? "1 line" : `${count} lines`;
      throw refuse(number, `${path} has ${has} in #${number} (${shortCommit(head)}), so there is no line ${line}.`);
    }
  }
}

function refuse(number: number, message: string): AoError {
  return new AoError({ code: "usage", message, hint: `\`ao pr diff "#${number}"\` shows its files and lines.` });
}
