import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import type { CoverFolder } from "./git.ts";
import { findCommonDir, type GitFolders, isProjectFolder } from "./repository.ts";

/** The file with the path of the project's git folder. */
const PROJECT = "ao-project";
/** The parts of an agent's repository that are data: its refs and objects, and what it ignores. */
const SHOWN = ["refs", "packed-refs", "reftable", "objects", "logs", "shallow", "info"];
/**
 * Settings that describe how the repository was created. They name no program, and only values of these forms are used.
 */
const FACTS: readonly (readonly [string, string, RegExp])[] = [
  ["core", "repositoryformatversion", /^[01]$/],
  ...["filemode", "ignorecase", "symlinks", "precomposeunicode", "sparsecheckout", "sparsecheckoutcone"].map(
    (name) => ["core", name, /^(true|false)$/] as const,
  ),
  ["extensions", "objectformat", /^sha(1|256)$/],
  ["extensions", "refstorage", /^(files|reftable)$/],
];

/**
 * A repository that belongs to an agent (a clone, a submodule) is read through a git folder of `ao`: links to the
 * agent's refs and objects, with the project's settings. So git uses no setting, hook or filter of the agent.
 */
export function createCover(fs: HostFs, place: { readonly home: string; readonly projectPath: string }): CoverFolder {
  return async (folders) => {
    if (folders.workTree === null || isProjectFolder(folders.commonDir)) return folders.commonDir;
    const folder = coverPath(place.home, folders.workTree);
    await fs.makeDir(folder, { mode: 0o700 });
    const shared = (await fs.readText(join(folder, PROJECT))) ?? (await findShared(fs, place.projectPath));
    const config = await composeConfig(fs, folders, shared);
    if ((await fs.readText(join(folder, "config"))) !== config) await fs.writeText(join(folder, "config"), config);
    await placeLinks(fs, folder, folders.gitDir);
    return folder;
  };
}

/** Records whose settings a new checkout will use. */
export async function recordProject(fs: HostFs, cover: string, commonDir: string): Promise<void> {
  await fs.makeDir(cover, { mode: 0o700 });
  await fs.writeText(join(cover, PROJECT), commonDir);
}

/** The path of a checkout's covering git folder, even while the checkout is moved aside. */
export function coverPath(home: string, workTree: string): string {
  const name = basename(workTree).replace(/^\.ao-(removing|deleting|cloning)-/, "");
  const hash = createHash("sha256").update(dirname(workTree)).digest("hex").slice(0, 12);
  return join(home, "git", `${hash}-${name}`);
}

async function placeLinks(fs: HostFs, folder: string, gitDir: string): Promise<void> {
  if ((await fs.readLink(join(folder, SHOWN.at(-1) ?? "")).catch(() => null)) === join(gitDir, SHOWN.at(-1) ?? ""))
    return;
  // Git requires HEAD to recognize a repository. The checked-out branch is in the agent's own HEAD.
  await fs.writeText(join(folder, "HEAD"), "ref: refs/heads/ao/none\n");
  for (const name of SHOWN) {
    await fs.remove(join(folder, name));
    await fs.makeLink(join(gitDir, name), join(folder, name));
  }
}

async function findShared(fs: HostFs, projectPath: string): Promise<string | null> {
  return projectPath === "" ? null : findCommonDir(fs, projectPath).catch(() => null);
}

async function composeConfig(fs: HostFs, { gitDir }: GitFolders, shared: string | null): Promise<string> {
  const own = (await fs.readText(join(gitDir, "config"))) ?? "";
  const facts = FACTS.flatMap(([section, name, form]) => {
    const value = new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, "im").exec(own)?.[1] ?? "";
    return form.test(value) ? [`[${section}]\n\t${name} = ${value}\n`] : [];
  });
  const hooks = shared === null || !own.includes(hooksSetting(shared)) ? [] : [hooksSetting(shared)];
  const settings = shared === null ? [] : [`[include]\n\tpath = ${quote(join(shared, "config"))}\n`];
  const storage = shared === null ? [] : [`[lfs]\n\tstorage = ${quote(join(shared, "lfs"))}\n`];
  return [...hooks, ...settings, ...facts, "[core]\n\tbare = false\n", ...storage].join("");
}

/** The setting by which a repository of its own uses the hooks of the project; one in the project's settings wins. */
export function hooksSetting(commonDir: string): string {
  return `[core]\n\thooksPath = ${quote(join(commonDir, "hooks"))}\n`;
}

/** The shared git folder of the project whose settings a cover uses; null: it is no cover, or that is unknown. */
export function readCovered(fs: HostFs, cover: string): Promise<string | null> {
  return fs.readText(join(cover, PROJECT));
}

/** A value in double quotes, with the escapes that git knows. */
export function quote(value: string): string {
  const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
  return `"${value.replace(/["\\\n\t]/g, (char) => escapes[char] ?? char)}"`;
}
