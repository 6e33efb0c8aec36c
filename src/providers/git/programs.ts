import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Host } from "../../ports/host.ts";
import { readCovered } from "./cover.ts";
import { createGit, type FindOverrides, splitNul } from "./git.ts";
import { findCommonDir, type GitFolders, isProjectFolder } from "./repository.ts";

/** Settings that make one of our calls start a program. All others of that kind are off in every call, or unused. */
const NAMES_PROGRAM =
  /^(?:filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|gpg(?:\..+)?\.program|core\.(?:hookspath|fsmonitor|sshcommand|askpass|gitproxy)|credential(?:\..+)?\.helper|remote\..+\.(?:uploadpack|receivepack))$/s;

/** What replaces a setting that is not the user's. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/^core\.hookspath$/, "/dev/null"],
  [/^core\.fsmonitor$/, "false"],
  [/^core\.sshcommand$/, "ssh"],
  [/^core\.gitproxy$/, "none"],
  [/^remote\..+\.uploadpack$/s, "git-upload-pack"],
  [/^remote\..+\.receivepack$/s, "git-receive-pack"],
  // A failing driver leaves a conflict, which a person or the agent resolves.
  [/^merge\./, "false"],
  // An empty value clears the list, including helpers named earlier.
  [/^(?:core\.askpass|credential\..*helper)$/s, ""],
];

const Trusted = z.object({ state: z.string(), settings: z.array(z.string()), hooks: z.array(z.string()) });
type Trusted = z.infer<typeof Trusted>;

/** The findings for each shared git folder, valid while its files look the same. */
const found = new Map<string, { readonly state: string; readonly foreign: readonly string[] }>();

/** Shared git folders with untrusted hooks. */
const foreignHooks = new Set<string>();

/**
 * Keeps git from starting programs that were added to a project's settings and hooks after `ao` first saw them: an
 * agent without a sandbox can write there. What was there at first is the user's, and is used.
 */
export function createProgramGuard(host: Host, home: string): FindOverrides {
  return async (folders, call) => {
    const project = await findProject(host, folders);
    if (project === null) return [];
    const foreign = await findForeign(host, home, project);
    const settings = foreign.flatMap(switchOff);
    if (call.hooks !== true) return settings;
    const { commonDir } = project;
    const trusted = await readTrusted(host, home, commonDir);
    const hooks = await listHooks(host, commonDir);
    const isForeign = trusted !== null && hooks.some((hook) => !trusted.hooks.includes(hook));
    if (!isForeign) return settings;
    foreignHooks.add(commonDir);
    return [...settings, ["core.hooksPath", "/dev/null"]];
  };
}

// A repository that is read through a cover uses the settings and hooks of its project.
async function findProject({ fs }: Host, folders: GitFolders): Promise<GitFolders | null> {
  if (isProjectFolder(folders.commonDir)) return folders;
  const shared = await readCovered(fs, folders.commonDir);
  return shared === null || !isProjectFolder(shared) ? null : { gitDir: shared, commonDir: shared, workTree: null };
}

/** Trusts all programs that a project's settings and hooks name now. */
export async function trustPrograms(host: Host, home: string, projectPath: string): Promise<void> {
  const commonDir = await findCommonDir(host.fs, projectPath);
  const folders = { gitDir: commonDir, commonDir, workTree: projectPath };
  const settings = await listSettings(host, folders);
  await record(host, { home, commonDir }, { state: await stateOf(host, folders), settings });
  found.delete(commonDir);
  foreignHooks.delete(commonDir);
}

/** A sentence about programs in a project's settings that are not run, for the next agent or person there. */
export function describeForeign(commonDir: string): readonly string[] {
  const { foreign = [] } = found.get(commonDir) ?? {};
  const settings = foreign.map((setting) => setting.split("\n")[0] ?? "");
  const names = [...settings, ...(foreignHooks.has(commonDir) ? ["hooks"] : [])].sort().join(", ");
  if (names === "") return [];
  return [
    `Git in ${commonDir} would start programs that were not there when ao first saw them (${names}). ao does not run them; if they are yours, run \`ao start\` in the project.`,
  ];
}

/** The same sentences for all repositories with such programs. */
export function listForeign(): readonly string[] {
  return [...new Set([...found.keys(), ...foreignHooks])].flatMap(describeForeign);
}

async function findForeign(host: Host, home: string, folders: GitFolders): Promise<readonly string[]> {
  const state = await stateOf(host, folders);
  const known = found.get(folders.commonDir);
  if (known?.state === state) return known.foreign;
  const trusted = await readTrusted(host, home, folders.commonDir);
  if (trusted?.state === state) return [];
  const settings = await listSettings(host, folders);
  const foreign = trusted === null ? [] : settings.filter((one) => !trusted.settings.includes(one));
  if (trusted === null) await record(host, { home, commonDir: folders.commonDir }, { state, settings });
  found.set(folders.commonDir, { state, foreign });
  for (const text of describeForeign(folders.commonDir)) host.log.warn(text);
  return foreign;
}

function switchOff(setting: string): readonly (readonly [string, string])[] {
  const key = setting.split("\n")[0] ?? "";
  const driver = key.slice(0, key.lastIndexOf("."));
  if (key.startsWith("filter.")) {
    const off = ["clean", "smudge", "process"].map((name) => [`${driver}.${name}`, ""] as const);
    return [...off, [`${driver}.required`, "false"]];
  }
  if (key.startsWith("gpg")) return [["commit.gpgSign", "false"]];
  return [[key, REPLACED.find(([form]) => form.test(key))?.[1] ?? ""]];
}

function filesOf({ gitDir, commonDir }: GitFolders): readonly string[] {
  return [...new Set([join(commonDir, "config"), join(commonDir, "config.worktree"), join(gitDir, "config.worktree")])];
}

async function stateOf(host: Host, folders: GitFolders): Promise<string> {
  const stats = await Promise.all(filesOf(folders).map(async (path) => [path, await host.fs.stat(path)] as const));
  const present = stats.filter(([, stat]) => stat !== null && stat.size > 0);
  return present.map(([path, stat]) => `${path} ${stat?.size} ${stat?.mtimeMs}`).join("\n");
}

async function listSettings(host: Host, folders: GitFolders): Promise<string[]> {
  const settings: string[] = [];
  for (const path of filesOf(folders)) {
    if (((await host.fs.stat(path))?.size ?? 0) === 0) continue;
    const args = ["config", "--file", path, "--includes", "--list", "-z"];
    const { stdout } = await createGit(host)({ cwd: folders.commonDir, args, discover: true });
    settings.push(...splitNul(stdout).filter((one) => NAMES_PROGRAM.test(one.split("\n")[0] ?? "")));
  }
  return settings;
}

async function listHooks(host: Host, commonDir: string): Promise<string[]> {
  const names = (await host.fs.list(join(commonDir, "hooks"))).filter((name) => !name.endsWith(".sample"));
  return Promise.all(
    names.map(async (name) => {
      const text = (await host.fs.readText(join(commonDir, "hooks", name)).catch(() => null)) ?? "";
      return `${name} ${createHash("sha256").update(text).digest("hex")}`;
    }),
  );
}

async function readTrusted(host: Host, home: string, commonDir: string): Promise<Trusted | null> {
  const text = await host.fs.readText(trustedPath(home, commonDir));
  return text === null ? null : (Trusted.safeParse(JSON.parse(text)).data ?? null);
}

async function record(
  host: Host,
  { home, commonDir }: { readonly home: string; readonly commonDir: string },
  what: Omit<Trusted, "hooks">,
): Promise<void> {
  await host.fs.makeDir(join(home, "git"), { mode: 0o700 });
  const trusted: Trusted = { ...what, hooks: await listHooks(host, commonDir) };
  await host.fs.writeText(trustedPath(home, commonDir), JSON.stringify(trusted), { mode: 0o600 });
}

function trustedPath(home: string, commonDir: string): string {
  return join(home, "git", `trusted-${createHash("sha256").update(commonDir).digest("hex").slice(0, 16)}.json`);
}
