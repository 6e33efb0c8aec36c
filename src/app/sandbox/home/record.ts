import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";
import type { HomePaths } from "../../../protocol/home.ts";
import { isTextList, parseList } from "./parse-list.ts";

/** Which copies of the user's folders a session has. */
export interface HomeRecord {
  readonly folders: readonly FolderRecord[];
}

interface FolderRecord {
  /** The user's folder. */
  readonly source: string;
  /** The name of the session's copy. */
  readonly name: string;
  readonly conversations: readonly string[];
  /** What the user had in it in the last run. */
  readonly seeded: readonly string[];
}

/** A session's copies of the folders of its agent's program, of which its sandbox shows each where the user's own is. */
export function homeFolder(paths: HomePaths, sessionId: string): string {
  return join(paths.sessions, sessionId, "home");
}

/** Null: the session has none yet. */
export async function readHomeRecord(fs: HostFs, home: string): Promise<HomeRecord | null> {
  const text = await fs.readText(join(home, FILE));
  if (text === null) return null;
  // Damaged: everything is copied again.
  return { folders: parseList<FolderRecord>(text, "folders", isFolder) };
}

export async function writeHomeRecord(fs: HostFs, home: string, record: HomeRecord): Promise<void> {
  await fs.writeText(join(home, FILE), JSON.stringify(record), { mode: 0o600 });
}

const FILE = "folders.json";

function isFolder({ source, name, conversations, seeded }: Partial<FolderRecord>): boolean {
  return typeof source === "string" && typeof name === "string" && isTextList(conversations) && isTextList(seeded);
}
