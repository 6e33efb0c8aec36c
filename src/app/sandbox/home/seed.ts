import { join } from "node:path";
import type { AgentFolder } from "../../../ports/agent.ts";
import type { HostFs } from "../../../ports/host.ts";
import type { PlaceRule } from "../bubblewrap.ts";
import { measure } from "./measure.ts";
import { isAmong, isNeverCopied } from "./names.ts";

/** What is copied of one folder in all. */
const MAX_BYTES = 128 * 1024 * 1024;
/** More entries directly in a folder are not looked at. */
const MAX_ENTRIES = 4000;

export interface Seeding {
  readonly folder: AgentFolder;
  /** The user's folder, and where the session's copy of it is mounted. */
  readonly source: string;
  /** The session's copy. Its program is not running, but wrote what is in there. */
  readonly to: string;
  /** Names in it that the user had in the last run. */
  readonly before: readonly string[];
  /** Names in it that are mounted separately. */
  readonly mounted: readonly string[];
}

/**
 * Gives a session the user's settings of this moment: each run starts with fresh copies of what the user has. What only the
 * session has stays, and what is too large to copy is shown read-only.
 */
export async function seed(
  fs: HostFs,
  seeding: Seeding,
): Promise<{ readonly rules: readonly PlaceRule[]; readonly seeded: readonly string[] }> {
  const { to, before, mounted } = seeding;
  const rules: PlaceRule[] = [];
  const entries = await entriesOf(fs, seeding);
  const names = entries.map(([name]) => name);
  for (const name of before.filter((one) => !names.includes(one))) await fs.remove(join(to, name));
  for (const name of mounted) await prepareMount(fs, join(to, name), "directory");
  let left = MAX_BYTES;
  for (const [name, from] of entries) {
    const found = await measure(fs, from);
    if (found === null) continue;
    const isCopyable = found.bytes !== null && found.bytes <= left;
    if (isCopyable && (await replace(fs, from, join(to, name)))) {
      left -= found.bytes;
      continue;
    }
    if (found.kind === "symlink") continue;
    await prepareMount(fs, join(to, name), found.kind);
    rules.push({ path: join(seeding.source, name), as: "read", from });
  }
  return { rules, seeded: names };
}

// A name and the user's file or folder that it is a copy of.
async function entriesOf(
  fs: HostFs,
  { folder, source, mounted }: Seeding,
): Promise<readonly (readonly [string, string])[]> {
  const { logins = [], conversations = [], omitted = [], adopted = {} } = folder;
  const own = [...logins.map(({ name }) => name), ...conversations, ...omitted, ...mounted];
  const names = (await fs.list(source)).filter((name) => !isAmong(name, own) && !isNeverCopied(name));
  const elsewhere = Object.entries(adopted);
  const isElsewhere = (name: string): boolean => elsewhere.some(([one]) => one === name);
  return [
    ...names
      .slice(0, MAX_ENTRIES)
      .filter((name) => !isElsewhere(name))
      .map((name) => [name, join(source, name)] as const),
    ...elsewhere,
  ];
}

// False: it cannot be copied, because the user changes it at this moment or may not read all of it.
async function replace(fs: HostFs, from: string, to: string): Promise<boolean> {
  await fs.remove(to);
  try {
    await fs.copy(from, to);
    return true;
  } catch {
    await fs.remove(to);
    return false;
  }
}

// The program may have put a link there, which a mount would follow.
async function prepareMount(fs: HostFs, path: string, kind: "file" | "directory"): Promise<void> {
  if ((await fs.stat(path))?.kind === kind) return;
  await fs.remove(path);
  if (kind === "directory") await fs.makeDir(path, { mode: 0o700 });
  else await fs.writeText(path, "", { mode: 0o600 });
}
