import { join } from "node:path";
import type { BaseCommit, FollowedBase, SeenRepository } from "../../../core/project/repository.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { splitNul } from "../git.ts";
import { readRef } from "./read-head.ts";
import type { ScmTools } from "./tools.ts";

const MAX_COMMITS = 100;
/** As many as could be lost, where the commit that was known is not in the repository any more. */
const ALL_LOST = 1;

/** Is the repository there, and where did its own default branch go? Starts a process only when that has moved. */
export async function inspectRepository(
  tools: ScmTools,
  project: ScmProject,
  since: string | null,
): Promise<SeenRepository> {
  const gone = await findGone(tools, project.path);
  if (gone !== null) return { kind: "missing", evidence: gone };
  const head = await readRef(tools, project, `refs/heads/${project.defaultBranch}`);
  return { kind: "present", base: await follow(tools, project.path, { since, head }) };
}

async function findGone({ host }: ScmTools, path: string): Promise<string | null> {
  if ((await host.fs.stat(path)) === null) return `${path} does not exist`;
  return (await host.fs.stat(join(path, ".git"))) === null ? `${path} has no .git` : null;
}

type Move = Pick<FollowedBase, "since" | "head">;

async function follow(tools: ScmTools, cwd: string, { since, head }: Move): Promise<FollowedBase> {
  if (since === null || head === null || since === head) return { since, head, lost: 0, commits: [] };
  const lost = await countLost(tools, cwd, { since, head });
  return { since, head, lost, commits: await listNew(tools, cwd, { since, head }) };
}

async function countLost(tools: ScmTools, cwd: string, { since, head }: Move): Promise<number> {
  const args = ["rev-list", "--count", `${head}..${since}`];
  const { code, stdout } = await tools.git({ cwd, args, okCodes: [0, 128] });
  return code === 0 ? Number(stdout) : ALL_LOST;
}

async function listNew(tools: ScmTools, cwd: string, { since, head }: Move): Promise<readonly BaseCommit[]> {
  const form = ["-z", "--first-parent", `--max-count=${MAX_COMMITS}`, "--format=%H %ce"];
  const { code, stdout } = await tools.git({ cwd, args: ["log", ...form, `${since}..${head}`], okCodes: [0, 128] });
  if (code !== 0) return [];
  return splitNul(stdout).map((line) => {
    const space = line.indexOf(" ");
    return { commit: line.slice(0, space), committer: line.slice(space + 1).slice(0, 200) };
  });
}
