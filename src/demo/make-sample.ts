import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AoError } from "../core/errors.ts";
import { type DemoForge, gitAccess } from "./forge.ts";
import { PROJECT } from "./story.ts";

/** Where the parts of a demo are. */
export interface Sample {
  readonly dir: string;
  readonly repo: string;
  readonly home: string;
}

/** Git without the user's signing, hooks and templates, which do not belong in a demo. */
export const PLAIN_GIT: Readonly<Record<string, string>> = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };

const KEEPER = { name: "Garden Keeper", email: "keeper@example.com" };
const CONFIG = "agent-orchestrator.yaml";
const DAY_MS = 24 * 60 * 60_000;

/** The history of the sample: what each commit adds, and how many days ago. */
const HISTORY: readonly { readonly subject: string; readonly daysAgo: number; readonly files: readonly string[] }[] = [
  { subject: "Begin a garden", daysAgo: 9, files: ["README.md", "gitignore", "package.json"] },
  { subject: "Add a canvas for the terminal", daysAgo: 8, files: ["src/canvas.js", "test/canvas.test.js"] },
  {
    subject: "Sow grass, and paint layer by layer",
    daysAgo: 6,
    files: [
      "src/caption.js",
      "src/layers.js",
      "src/layers/grass.js",
      "src/main.js",
      "src/paint.js",
      "test/garden.test.js",
    ],
  },
  { subject: "Say how ao works on the garden", daysAgo: 1, files: [CONFIG] },
];

/** The template folder of the package; the same relative path from the source, the build and the bundle. */
function templates(): string {
  return fileURLToPath(new URL("../../demo/", import.meta.url));
}

export interface SampleOptions {
  readonly pace: number;
  readonly now: number;
  /** Has the issues and gets the repository; null: both are only in the folder. */
  readonly forge: DemoForge | null;
}

/** Creates the repository, its issues and the agents' scripts in an empty folder. */
export async function makeSample(dir: string, options: SampleOptions): Promise<Sample> {
  const { forge } = options;
  const repo = join(dir, PROJECT);
  mkdirSync(repo, { recursive: true });
  const git = (args: readonly string[], at?: Date): Promise<void> => runGit(repo, args, { at });
  await git(["init", "--quiet"]);
  // Only newer versions have an option for the name of the first branch.
  await git(["symbolic-ref", "HEAD", "refs/heads/main"]);
  for (const { subject, daysAgo, files } of HISTORY) {
    for (const file of files) copyTemplate(file, repo, options);
    await git(["add", "--all"]);
    await git(["commit", "--quiet", "--message", subject], new Date(options.now - daysAgo * DAY_MS));
  }
  if (forge === null) cpSync(join(templates(), "issues"), join(repo, ".ao/issues"), { recursive: true });
  else {
    await git(["remote", "add", "origin", `${forge.url}/${forge.repository}.git`]);
    await runGit(repo, ["push", "--quiet", "--set-upstream", "origin", "main"], { env: gitAccess(forge) });
  }
  cpSync(join(templates(), "scripts"), join(dir, "scripts"), { recursive: true });
  return { dir, repo, home: join(dir, "home") };
}

function copyTemplate(file: string, repo: string, { pace, forge }: SampleOptions): void {
  // npm omits files with that name from a package.
  const to = join(repo, basename(file) === "gitignore" ? ".gitignore" : file);
  mkdirSync(dirname(to), { recursive: true });
  if (file !== CONFIG) {
    copyFileSync(join(templates(), PROJECT, file), to);
    return;
  }
  const from = forge === null ? join(PROJECT, CONFIG) : "on-github.yaml";
  const text = readFileSync(join(templates(), from), "utf8").replace("pace: 1\n", `pace: ${pace}\n`);
  writeFileSync(to, text.replaceAll("baseUrl: URL", `baseUrl: ${forge?.url}`));
}

/** Pulls what was merged on the forge into the checkout. */
export async function pullSample(repo: string, forge: DemoForge): Promise<void> {
  await runGit(repo, ["pull", "--quiet", "--ff-only"], { env: gitAccess(forge) });
}

/** Removes unreferenced objects: a merge with a conflict leaves a tree that nobody needs. */
export async function tidySample(repo: string): Promise<void> {
  await runGit(repo, ["prune", "--expire=now"]);
}

/** Rejects a folder with content: the demo only adds files, and must not mix with others. */
export function requireEmpty(dir: string): void {
  mkdirSync(dir, { recursive: true });
  if (readdirSync(dir).length === 0) return;
  throw new AoError({
    code: "usage",
    message: `${dir} is not empty.`,
    hint: "Name a new folder with --dir, or leave it out.",
  });
}

async function runGit(
  cwd: string,
  args: readonly string[],
  {
    at = new Date(),
    env: more = {},
  }: { readonly at?: Date | undefined; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const date = at.toISOString();
  const env = {
    ...process.env,
    ...PLAIN_GIT,
    ...more,
    GIT_AUTHOR_NAME: KEEPER.name,
    GIT_AUTHOR_EMAIL: KEEPER.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: KEEPER.name,
    GIT_COMMITTER_EMAIL: KEEPER.email,
    GIT_COMMITTER_DATE: date,
  };
  try {
    await promisify(execFile)("git", ["-C", cwd, "-c", "core.autocrlf=false", ...args], { env });
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const why = isMissing ? "git is not installed" : `git ${args[0]}: ${(cause as { stderr?: string }).stderr?.trim()}`;
    const hint = isMissing ? "Install git 2.38 or newer." : undefined;
    throw new AoError({ code: isMissing ? "program-missing" : "git-failed", message: why, hint, cause });
  }
}
