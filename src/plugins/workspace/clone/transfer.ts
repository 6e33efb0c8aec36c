import { refComponent } from "../../../providers/git/preserved.ts";
import type { Tools } from "../../../providers/git/tools.ts";

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

/** The start of every fetch between a project, its mirror and a clone. */
export const FETCH: readonly string[] = [...PLAIN, "fetch", ...FETCH_OPTIONS];

/** The start of cloning a mirror. Not with --local, which would insist on hard links. */
export const CLONE: readonly string[] = [...PLAIN, "clone", "--quiet", "--no-checkout", "--origin", "project"];

/**
 * Copies objects with everything they need from one repository into refs of another. The receiving side fetches: a push
 * would run the hooks of the user's repository and obey its settings.
 */
export async function bring(
  tools: Tools,
  { from, to }: { readonly from: string; readonly to: string },
  targets: Readonly<Record<string, string>>,
): Promise<void> {
  const refspecs = Object.entries(targets).map(([ref, object]) => `+${object}:${ref}`);
  if (refspecs.length === 0) return;
  const source = (await tools.sourceOf?.(from)) ?? from;
  await tools.git({ cwd: to, args: [...FETCH, source, ...refspecs] });
}

/** Copies one commit into the project while a task gives it a permanent ref. */
export async function whileBrought<T>(
  tools: Tools,
  request: { readonly from: string; readonly to: string; readonly sessionId: string; readonly commit: string },
  task: () => Promise<T>,
): Promise<T> {
  await bring(tools, request, { [incoming(request.sessionId)]: request.commit });
  try {
    return await task();
  } finally {
    await dropIncoming(tools, request.to, request.sessionId);
  }
}

/** Removes the temporary ref of a copied commit, which a crash may have left. */
export async function dropIncoming(tools: Tools, cwd: string, sessionId: string): Promise<void> {
  await tools.git({ cwd, args: ["update-ref", "-d", incoming(sessionId)], okCodes: [0, 1, 128] });
}

function incoming(sessionId: string): string {
  return `refs/ao/incoming/${refComponent(sessionId)}`;
}
