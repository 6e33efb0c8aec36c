import { join } from "node:path";
import type { WorkspaceRef } from "../../ports/workspace.ts";
import { failure } from "./failure.ts";
import { splitNul } from "./git.ts";
import { copyIndex } from "./index-copy.ts";
import type { CheckoutTools } from "./kind.ts";
import type { Tools } from "./tools.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** All changes against a commit, including untracked files, as a unified diff of at most 4 MiB. */
export async function diffWorkspace(tools: CheckoutTools, ref: WorkspaceRef, baseCommit: string): Promise<string> {
  if (baseCommit.startsWith("-")) throw failure("usage", "config", { message: `"${baseCommit}" is not a commit.` });
  const gitDir = await tools.kind.findGitDir(ref.path);
  if (gitDir === null) {
    throw failure("workspace-missing", "not-found", { message: `There is no checkout at ${ref.path}.` });
  }
  const index = await copyIndex(tools, ref.path, gitDir);
  try {
    await addUntracked(tools, ref.path, index.env);
    return await readDiff(tools, ref.path, { indexEnv: index.env, baseCommit });
  } finally {
    await index.remove();
  }
}

async function addUntracked(tools: Tools, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const listed = await tools.git({ cwd, env, args: ["ls-files", "--others", "--exclude-standard", "-z"] });
  // A trailing slash means a nested repository, whose content is not ours to show.
  const candidates = splitNul(listed.stdout).filter((path) => !path.endsWith("/"));
  const paths: string[] = [];
  for (const path of candidates) if ((await tools.host.fs.stat(join(cwd, path))) !== null) paths.push(path);
  if (paths.length === 0) return;
  const args = ["--literal-pathspecs", "add", "--intent-to-add", "--ignore-errors"];
  const stdin = paths.map((path) => `${path}\0`).join("");
  const from = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  await tools.git({ cwd, env, args: [...args, ...from], stdin, okCodes: [0, 1] });
}

async function readDiff(
  tools: Tools,
  cwd: string,
  { indexEnv, baseCommit }: { readonly indexEnv: Readonly<Record<string, string>>; readonly baseCommit: string },
): Promise<string> {
  const diff = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"];
  const { stdout, stderr } = await tools.git({
    cwd,
    args: [...diff, "--ignore-submodules=dirty", "--find-renames", baseCommit, "--"],
    // The pipe cuts a longer diff; git's own exit code is passed in the last line of stderr.
    script: '{ git "$@"; echo "exit $?" >&2; } | head -c "$LIMIT"',
    env: { ...indexEnv, LIMIT: String(MAX_BYTES + 1) },
  });
  const cut = new TextEncoder().encode(stdout).length > MAX_BYTES;
  if (cut)
    return `${stdout.slice(0, stdout.lastIndexOf("\n") + 1)}# The diff is longer than 4 MiB; the rest was cut.\n`;
  if (stderr.trimEnd().endsWith("exit 0")) return stdout;
  throw failure("git-failed", "unavailable", { message: `git diff failed in ${cwd}: ${stderr.trim().slice(-1000)}` });
}
