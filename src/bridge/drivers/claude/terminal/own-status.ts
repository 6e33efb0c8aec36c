import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Status = z.looseObject({ sessionId: z.string(), status: z.string(), statusUpdatedAt: z.number() });

/**
 * Since when the program says that it is idle; null: it does not, or it does not say. No hook tells that a person
 * interrupted a turn, and this file of the program does.
 */
export function idleSince(conversation: string, env: Readonly<Record<string, string | undefined>>): number | null {
  const folder = join(env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? "", ".claude"), "sessions");
  const all = listStatusFiles(folder).flatMap((name) => read(join(folder, name)) ?? []);
  // A program that was killed leaves its file behind.
  const own = all
    .filter(({ sessionId }) => sessionId === conversation)
    .sort(byTime)
    .at(-1);
  return own?.status === "idle" ? own.statusUpdatedAt : null;
}

function byTime(a: z.infer<typeof Status>, b: z.infer<typeof Status>): number {
  return a.statusUpdatedAt - b.statusUpdatedAt;
}

// Only these: what else is there may be secret.
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
