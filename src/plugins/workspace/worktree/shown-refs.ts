import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";
import type { WorkspaceRef } from "../../../ports/workspace.ts";
import { readRefs } from "../../../providers/git/refs.ts";
import { findCommonDir } from "../../../providers/git/repository.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { keepAnother } from "./borrowed.ts";

/** In a repository of its own: the project's branches, as `ao` last read them. A sandbox cannot write there. */
export const SHOWN_FOLDER = "refs/ao/project";
const MAX_DEPTH = 16;
const REMOTE = "remotes/origin/";

/** The content of each packed-refs file, while it looks the same. */
const packedRefs = new Map<string, { readonly state: string; readonly commits: ReadonlyMap<string, string> }>();

/** The files of a new repository that show these refs. */
export function composeShown(refs: Readonly<Record<string, string>>, branch: string): Readonly<Record<string, string>> {
  const entries = Object.entries(refs).flatMap(([ref, commit]) => {
    const name = ref.slice("refs/".length);
    const shown = [[`${SHOWN_FOLDER}/${name}`, `${commit}\n`] as const];
    // A local branch that follows the project's, and that nobody can commit to.
    const isFollower = name.startsWith("heads/") && name !== `heads/${branch}`;
    return isFollower ? [...shown, [ref, `ref: ${SHOWN_FOLDER}/${name}\n`] as const] : shown;
  });
  return Object.fromEntries(entries);
}

/** Shows a checkout where the project's branches are now. Starts a process only if one has moved. */
export async function refreshShown(tools: Tools, ref: Pick<WorkspaceRef, "project" | "path">): Promise<void> {
  const { fs } = tools.host;
  const folder = join(ref.path, ".git", SHOWN_FOLDER);
  const commonDir = await findCommonDir(fs, ref.project.path);
  for (const name of await listFiles(fs, folder, { below: "", depth: 0 })) {
    const now = await readCommit(tools, commonDir, { project: ref.project.path, name });
    if (now === null || (await fs.readText(join(folder, name))) === `${now}\n`) continue;
    await keepAnother(tools, { path: ref.path, commonDir }, now);
    await fs.writeText(join(folder, name), `${now}\n`, { isRef: true });
    // An agent's own fetch writes this one too. Its folder is a mount in the sandbox, and cannot become a link.
    const isRemote = name.startsWith(REMOTE) && !name.slice(REMOTE.length).includes("/");
    if (isRemote) await fs.writeText(join(ref.path, ".git/refs", name), `${now}\n`, { isRef: true });
  }
}

async function listFiles(
  fs: HostFs,
  folder: string,
  { below, depth }: { readonly below: string; readonly depth: number },
): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const found: string[] = [];
  for (const name of await fs.list(join(folder, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    const kind = (await fs.stat(join(folder, path)))?.kind;
    // A lock is what a killed daemon left of a write.
    if (kind === "file" && !name.endsWith(".lock")) found.push(path);
    if (kind === "directory") found.push(...(await listFiles(fs, folder, { below: path, depth: depth + 1 })));
  }
  return found;
}

async function readCommit(
  tools: Tools,
  commonDir: string,
  { project, name }: { readonly project: string; readonly name: string },
): Promise<string | null> {
  const { fs } = tools.host;
  const ref = `refs/${name}`;
  const isFile = (await fs.stat(join(commonDir, ref)))?.kind === "file";
  const loose = isFile ? ((await fs.readText(join(commonDir, ref))) ?? "").trim() : "";
  if (/^[0-9a-f]{40,64}$/.test(loose)) return loose;
  const hasTable = (await fs.stat(join(commonDir, "reftable"))) !== null;
  if (loose !== "" || hasTable) return (await readRefs(tools.git, project, [ref])).get(ref) ?? null;
  return (await readPacked(fs, commonDir)).get(ref) ?? null;
}

async function readPacked(fs: HostFs, commonDir: string): Promise<ReadonlyMap<string, string>> {
  const path = join(commonDir, "packed-refs");
  const stat = await fs.stat(path);
  const state = `${stat?.size} ${stat?.mtimeMs}`;
  const known = packedRefs.get(path);
  if (known?.state === state) return known.commits;
  const lines = ((await fs.readText(path)) ?? "").split("\n").filter((line) => /^[0-9a-f]{40,64} refs\//.test(line));
  const commits = new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
  packedRefs.set(path, { state, commits });
  return commits;
}
