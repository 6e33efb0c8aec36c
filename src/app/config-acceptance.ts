import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { type AcceptedFile, type FoundFile, type Origin, originOf } from "../config/acceptance.ts";
import { foldersAbove } from "../config/folders-above.ts";
import type { Host } from "../ports/host.ts";
import { createGit, EVERY_CODE } from "../providers/git/git.ts";

/** Remembers, on disk, which text of each configuration file a person let take effect. */
export interface ConfigAcceptance {
  /** The text in force. */
  read(file: string): Promise<string | undefined>;
  /** Where this text, just read from the file, comes from. */
  judge(file: string, text: string): Promise<Origin>;
  /** From now on this text is in force. */
  accept(file: string, text: string): Promise<void>;
  /** Accepts files as they are, once: they were in force before `ao` asked. */
  adopt(files: readonly string[]): Promise<void>;
}

export function createConfigAcceptance(host: Host, home: string): ConfigAcceptance {
  const folder = join(home, "configs");
  const pathOf = (file: string): string =>
    join(folder, `${createHash("sha256").update(file).digest("hex").slice(0, 24)}.json`);

  const read = async (file: string): Promise<AcceptedFile | null> => {
    const written = await host.fs.readText(pathOf(file));
    if (written === null) return null;
    return parse(written);
  };
  const accept = async (file: string, text: string): Promise<void> => {
    const { git } = await examine(host, file, text);
    const accepted: AcceptedFile = { text, committed: git?.committed ?? null };
    await host.fs.makeDir(folder, { mode: 0o700 });
    // The file can hold secrets.
    await host.fs.writeText(pathOf(file), JSON.stringify(accepted), { mode: 0o600 });
  };
  return {
    accept,
    read: async (file) => (await read(file))?.text,
    judge: async (file, text) => {
      const accepted = await read(file);
      return accepted?.text === text ? "unchanged" : originOf(await examine(host, file, text), accepted);
    },
    adopt: async (files) => {
      if ((await host.fs.stat(folder)) !== null) return;
      await host.fs.makeDir(folder, { mode: 0o700 });
      for (const file of files) {
        const text = await host.fs.readText(file).catch(() => null);
        if (text !== null) await accept(file, text);
      }
    },
  };
}

function parse(written: string): AcceptedFile | null {
  try {
    const { text, committed } = JSON.parse(written) as Partial<AcceptedFile>;
    return typeof text === "string" ? { text, committed: committed ?? null } : null;
  } catch {
    // A torn record is none: a person is asked again.
    return null;
  }
}

/** What git knows about a file and, if it is a link, about the link as well. */
async function examine(host: Host, file: string, text: string): Promise<FoundFile> {
  const target = (await host.fs.realPath(file)) ?? file;
  const paths = target === file ? [file] : [file, target];
  const found = await Promise.all(paths.map((path) => examinePath(host, path, text)));
  const known = found.filter((one) => one !== null);
  if (known.length === 0) return { text, git: null };
  const combine = (values: readonly (string | null)[]): string | null =>
    values.every((value) => value === null) ? null : values.map((value) => value ?? "none").join(" ");
  return {
    text,
    git: {
      committed: combine(known.map(({ committed }) => committed)),
      staged: combine(known.map(({ staged }) => staged)),
      committedText: known.at(-1)?.committedText ?? null,
      isStored: known.some(({ isStored }) => isStored),
      isLocked: known.some(({ isLocked }) => isLocked),
    },
  };
}

async function examinePath(host: Host, path: string, text: string): Promise<NonNullable<FoundFile["git"]> | null> {
  const cwd = dirname(path);
  if (!(await isInRepository(host, cwd))) return null;
  const git = createAsk(host, cwd);
  // The lock is looked at before the index: git replaces the index when it lets go of the lock.
  const lock = await git(["rev-parse", "--path-format=absolute", "--git-path", "index.lock"]);
  const isLocked = lock !== null && (await host.fs.stat(lock)) !== null;
  const name = `./${basename(path)}`;
  const staged = await git(["rev-parse", "--verify", "--quiet", `:${name}`]);
  const committed = await git(["rev-parse", "--verify", "--quiet", `HEAD:${name}`]);
  return {
    committed,
    committedText: committed === null ? null : await git(["cat-file", "blob", committed]),
    staged,
    isStored: await isStored(git, text),
    isLocked,
  };
}

/** Is there a repository around a folder, whether git accepts it or not? */
async function isInRepository({ fs }: Host, folder: string): Promise<boolean> {
  for (const above of foldersAbove(folder, {})) {
    if ((await fs.stat(join(above, ".git"))) !== null) return true;
  }
  return false;
}

async function isStored(git: Ask, text: string): Promise<boolean> {
  for (const form of new Set([text, text.replaceAll("\r\n", "\n")])) {
    const id = await git(["hash-object", "--stdin", "--no-filters"], form);
    if (id !== null && (await git(["cat-file", "-t", id])) !== null) return true;
  }
  return false;
}

/** The output of a call, without the line end after an id or a path; null: it failed. */
type Ask = (args: readonly string[], stdin?: string) => Promise<string | null>;

function createAsk(host: Host, cwd: string): Ask {
  const git = createGit(host);
  return async (args, stdin = "") => {
    const { code, stdout } = await git({ cwd, args, stdin, discover: true, okCodes: EVERY_CODE });
    if (code !== 0) return null;
    return args[1] === "blob" ? stdout : stdout.trimEnd();
  };
}
