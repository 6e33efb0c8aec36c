import { join } from "node:path";
import { hooksSetting, quote } from "../../../providers/git/cover.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/** As long as the name of an object in a SHA-256 repository. */
const SHA256_LENGTH = 64;

/** The settings of a repository of its own: the project's, by including them, and what describes the repository. */
export async function composeSettings(
  tools: Tools,
  project: string,
  { commonDir, head }: { readonly commonDir: string; readonly head: string },
): Promise<string> {
  const isSha256 = head.length === SHA256_LENGTH;
  return [
    // First, so that the project's own setting for hooks wins.
    hooksSetting(commonDir),
    `[include]\n\tpath = ${quote(join(commonDir, "config"))}\n`,
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = false\n\tlogAllRefUpdates = true\n`,
    isSha256 ? "[extensions]\n\tobjectFormat = sha256\n" : "",
    // What it borrows would be dropped from it, and a sandbox cannot write what the others would.
    "[gc]\n\tauto = 0\n\tpackRefs = false\n\twriteCommitGraph = false\n[maintenance]\n\tauto = false\n",
    "[repack]\n\tupdateServerInfo = false\n[fetch]\n\twriteCommitGraph = false\n",
    await composeSparse(tools, project, commonDir),
  ].join("");
}

// A new worktree of a sparse checkout is sparse too.
async function composeSparse(tools: Tools, project: string, commonDir: string): Promise<string> {
  if ((await tools.host.fs.stat(join(commonDir, "info/sparse-checkout"))) === null) return "";
  const args = ["config", "--type=bool", "--get-regexp", "^(core\\.sparsecheckout(cone)?|index\\.sparse)$"];
  const { stdout } = await tools.git({ cwd: project, args, okCodes: [0, 1] });
  return stdout
    .split("\n")
    .map((line) => /^(core|index)\.(\w+) (true|false)$/.exec(line))
    .map((found) => (found === null ? "" : `[${found[1]}]\n\t${found[2]} = ${found[3]}\n`))
    .join("");
}
