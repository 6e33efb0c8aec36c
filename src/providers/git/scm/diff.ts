import type { ScmProject } from "../../../ports/scm.ts";
import { failure } from "../failure.ts";
import { readHead } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const SHOWN = ["--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--find-renames"];

/** A change against the commit at which it left its base, as a unified diff of at most 4 MiB. */
export async function diffChange(
  tools: ScmTools,
  project: ScmProject,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<string> {
  const from = (await readHead(tools, project, base)) ?? base;
  if ([head, from].some((commit) => /^-|\.\./.test(commit))) {
    throw failure("usage", "config", { message: `"${head}" and "${base}" are not two commits.` });
  }
  const { stdout, stderr } = await tools.git({
    cwd: project.path,
    args: ["diff", ...SHOWN, `${from}...${head}`, "--"],
    // The pipe cuts a longer diff; git's own exit code is passed in the last line of stderr.
    script: '{ git "$@"; echo "exit $?" >&2; } | head -c "$LIMIT"',
    env: { LIMIT: String(MAX_BYTES + 1) },
  });
  if (new TextEncoder().encode(stdout).length > MAX_BYTES) {
    return `${stdout.slice(0, stdout.lastIndexOf("\n") + 1)}# The diff is longer than 4 MiB; the rest was cut.\n`;
  }
  if (stderr.trimEnd().endsWith("exit 0")) return stdout;
  const message = `git diff failed in ${project.path}: ${stderr.trim().slice(-1000)}`;
  throw failure("git-failed", "unavailable", { message });
}
