import type { ScmProject } from "../../../ports/scm.ts";
import { gitCommand } from "../../../providers/git/git.ts";
import type { ScmTools } from "./tools.ts";

/** How many lines a file has in a commit; null: it is no file there. */
export async function countLines(
  tools: ScmTools,
  project: ScmProject,
  commit: string,
  path: string,
): Promise<number | null> {
  const object = `${commit}:${path}`;
  if (object.startsWith("-")) return null;
  const kind = await tools.git({ cwd: project.path, args: ["cat-file", "-t", object], okCodes: [0, 128] });
  if (kind.stdout.trim() !== "blob") return null;
  const { args, env } = gitCommand({ args: ["cat-file", "blob", object] });
  // Counts a last line without an end too; grep's exit code 1 means none.
  const script = 'git "$@" | LC_ALL=C grep -ac ""; :';
  const counted = await tools.host.exec({
    program: "sh",
    args: ["-c", script, "sh", ...args],
    cwd: project.path,
    env,
  });
  return Number.parseInt(counted.stdout, 10) || 0;
}
