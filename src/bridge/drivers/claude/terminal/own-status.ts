import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Status = z.looseObject({ sessionId: z.string(), status: z.string(), statusUpdatedAt: z.number() });

/** The status that the program reports about itself, and since when. */
export interface OwnStatus {
  readonly status: string;
  readonly since: number;
}

/**
 * The program's own status, from a file it maintains; null if there is none. No hook reports that a person interrupted
 * a turn, or answered a question at the keyboard.
 */
export function readOwnStatus(
  conversation: string,
  env: Readonly<Record<string, string | undefined>>,
): OwnStatus | null {
  const folder = join(env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? "", ".claude"), "sessions");
  const all = listStatusFiles(folder).flatMap((name) => read(join(folder, name)) ?? []);
  // A killed program leaves its file behind.
  const own = all
    .filter(({ sessionId }) => sessionId === conversation)
    .sort(byTime)
    .at(-1);
  return own === undefined ? null : { status: own.status, since: own.statusUpdatedAt };
}

function byTime(a: z.infer<typeof Status>, b: z.infer<typeof Status>): number {
  return a.statusUpdatedAt - b.statusUpdatedAt;
}

// Only these: other files there may be secret.
function listStatusFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

function read(path: string): z.infer<typeof Status> | null {
  try {
    return Status.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}
