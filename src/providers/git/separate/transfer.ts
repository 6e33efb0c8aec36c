import { refComponent } from "../preserved.ts";
import type { Tools } from "../tools.ts";
import { clearTakeOver, type TakeOver, takeOver } from "./take-over.ts";

// User settings that would make a transfer between two local repositories fail, or do more than requested.
const PLAIN = [
  "protocol.version=2",
  "protocol.file.allow=always",
  "transfer.fsckObjects=false",
  "fetch.fsckObjects=false",
  "fetch.prune=false",
  "fetch.pruneTags=false",
  "fetch.writeCommitGraph=false",
  "clone.rejectShallow=false",
].flatMap((setting) => ["-c", setting]);
const FETCH_OPTIONS = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--update-shallow"];

/** The start of every fetch from the project, into its mirror or a checkout. */
export const FETCH: readonly string[] = [...PLAIN, "fetch", ...FETCH_OPTIONS];

/** The start of cloning a mirror. Not with --local, which would insist on hard links. */
export const CLONE: readonly string[] = [...PLAIN, "clone", "--quiet", "--no-checkout", "--origin", "project"];

/** Copies objects with everything they need from a checkout into refs of the project. */
export async function bring(
  tools: Tools,
  where: Pick<TakeOver, "from" | "to" | "sessionId">,
  targets: Readonly<Record<string, string>>,
): Promise<void> {
  const entries = Object.entries(targets);
  if (entries.length === 0) return;
  await takeOver(tools, { ...where, objects: entries.map(([, object]) => object) }, async () => {
    const stdin = entries.map(([ref, object]) => `update ${ref} ${object}\n`).join("");
    await tools.git({ cwd: where.to, args: ["update-ref", "--stdin"], stdin });
  });
}

/** Removes what a crash left of a transfer, and the temporary ref that older versions used. */
export async function dropIncoming(tools: Tools, cwd: string, sessionId: string): Promise<void> {
  await clearTakeOver(tools, cwd, sessionId);
  const ref = `refs/ao/incoming/${refComponent(sessionId)}`;
  await tools.git({ cwd, args: ["update-ref", "-d", ref], okCodes: [0, 1, 128] });
}
