import { createHash } from "node:crypto";
import type { CheckRequest } from "../../../../ports/scm.ts";
import { splitNul } from "../../../../providers/git/git.ts";
import type { ScmTools } from "../../../../providers/git/scm/tools.ts";
import { detectSetUp, isDeciding, isLockfile, isPureInstall } from "./set-up-plan.ts";

/** What prepares a checkout, and the name under which its result can be found. */
export interface SetUpPlan {
  readonly command: string;
  readonly key: string;
  /** Only lockfiles determine it, so its result can be used for other commits and in other folders. */
  readonly isPure: boolean;
  /** What must be the same for its result to be reused, in words. */
  readonly basis: string;
}

interface TreeFile {
  readonly id: string;
  readonly path: string;
}

/** The set-up of a commit; null if it needs none. */
export async function planSetUp(tools: ScmTools, request: CheckRequest): Promise<SetUpPlan | null> {
  const files = await listFiles(tools, request);
  const command = request.setup ?? (await detect(tools, request, files));
  if (command === null || command.trim() === "") return null;
  const isPure = isPureInstall(command, await readScripts(tools, request));
  const deciding = isPure ? files.filter((file) => isDeciding(file.path)) : files;
  const parts = [command, await readMachine(tools, request), ...deciding.map(({ id, path }) => `${id} ${path}`)];
  const key = createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
  return { command, key, isPure, basis: describeBasis(isPure, deciding) };
}

function describeBasis(isPure: boolean, deciding: readonly TreeFile[]): string {
  if (!isPure) return "same commit";
  return deciding.some(({ path }) => isLockfile(path)) ? "same lockfile" : "same package.json";
}

async function listFiles(tools: ScmTools, { project, commit }: CheckRequest): Promise<readonly TreeFile[]> {
  const { stdout } = await tools.git({ cwd: project.path, args: ["ls-tree", "-r", "-z", "--full-tree", commit] });
  return splitNul(stdout).map((line) => {
    const tab = line.indexOf("\t");
    return { id: line.slice(0, tab), path: line.slice(tab + 1) };
  });
}

async function detect(tools: ScmTools, request: CheckRequest, files: readonly TreeFile[]): Promise<string | null> {
  const names = files.map((file) => file.path).filter((path) => !path.includes("/"));
  if (!names.includes("package.json")) return detectSetUp(names, null);
  const args = ["cat-file", "blob", `${request.commit}:package.json`];
  return detectSetUp(names, (await tools.git({ cwd: request.project.path, args })).stdout);
}

async function readScripts(tools: ScmTools, { project, commit }: CheckRequest): Promise<readonly string[]> {
  const names = '"(preinstall|install|postinstall|prepublish|preprepare|prepare|postprepare)"[[:space:]]*:';
  const args = ["grep", "-h", "-E", "-e", names, commit, "--", "package.json", "*/package.json"];
  const { stdout } = await tools.git({ cwd: project.path, args, okCodes: [0, 1] });
  return stdout.split("\n").filter((line) => line !== "");
}

// Installed programs may be specific to a kind of machine and a version of node.
async function readMachine(tools: ScmTools, request: CheckRequest): Promise<string> {
  const script = "uname -sm; node --version 2>/dev/null; :";
  return (await tools.host.exec({ program: "sh", args: ["-c", script], exactEnv: { ...request.env } })).stdout;
}
