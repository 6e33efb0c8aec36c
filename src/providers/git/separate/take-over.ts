import { join } from "node:path";
import { shortCommit } from "../../../core/hash.ts";
import { refComponent } from "../preserved.ts";
import { findCommonDir } from "../repository.ts";
import type { Tools } from "../tools.ts";
import { inspectPack, type Quarantine, requireKnown } from "./inspect-pack.ts";
import { takeLargeFiles } from "./large-files.ts";
import { receive } from "./receive.ts";
import type { RefusedContent } from "./refused-content.ts";

/** The file in a quarantine with the name of the pack that is protected from `git gc`. */
const HELD = "held";

export interface TakeOver {
  /** The checkout of an agent, which is not trusted. */
  readonly from: string;
  /** The project. */
  readonly to: string;
  readonly sessionId: string;
  readonly objects: readonly string[];
  /** What the first of these objects is compared with, to find out how much it changes. */
  readonly since?: string | undefined;
}

/**
 * Copies objects with everything they need into the project while a task gives them a permanent ref. They are received
 * in a quarantine, where git computes their names from their contents and checks them. The pack is kept from
 * `git gc` until the task is over. Rejects with RefusedContent.
 */
export async function takeOver<T>(tools: Tools, request: TakeOver, task: () => Promise<T>): Promise<T> {
  const quarantine = await quarantineOf(tools, request);
  await releaseQuarantine(tools, quarantine);
  await takeLargeFiles(tools, request);
  try {
    const isEmpty = (await receive(tools, request, quarantine)) === 0;
    if (isEmpty) {
      await requireKnown(tools, request);
      return await task();
    }
    const name = await inspectPack(tools, request, quarantine);
    await admit(tools, request.sessionId, { quarantine, name });
    return await task();
  } finally {
    await releaseQuarantine(tools, quarantine);
  }
}

/** Removes what a take-over left that a crash interrupted. */
export async function clearTakeOver(tools: Tools, to: string, sessionId: string): Promise<void> {
  await releaseQuarantine(tools, await quarantineOf(tools, { to, sessionId }));
}

// In the same file system as the objects, but not where `git prune` deletes temporary files.
async function quarantineOf(tools: Tools, { to, sessionId }: Pick<TakeOver, "to" | "sessionId">): Promise<Quarantine> {
  const commonDir = await findCommonDir(tools.host.fs, to);
  const folder = join(commonDir, "ao-incoming", refComponent(sessionId));
  return {
    folder,
    pack: join(folder, "received"),
    objects: join(folder, "objects"),
    shared: join(commonDir, "objects"),
  };
}

async function releaseQuarantine({ host: { fs } }: Tools, { folder, shared }: Quarantine): Promise<void> {
  if ((await fs.stat(folder)) === null) return;
  const name = await fs.readText(join(folder, HELD));
  if (name !== null) await fs.remove(join(shared, "pack", `${name}.keep`));
  await fs.remove(folder);
}

/** Moves a checked pack into the project, so that git finds it and no `git gc` removes it. */
async function admit(
  { host: { fs } }: Tools,
  sessionId: string,
  { quarantine, name }: { readonly quarantine: Quarantine; readonly name: string },
): Promise<void> {
  const target = join(quarantine.shared, "pack");
  await fs.makeDir(target);
  await fs.writeText(join(quarantine.folder, HELD), name);
  await fs.writeText(join(target, `${name}.keep`), `ao: commits of ${sessionId}\n`);
  const files = await fs.list(join(quarantine.objects, "pack"));
  // Git finds a pack by its index, which therefore comes last.
  const order = [...files].sort((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx")));
  for (const file of order) {
    if (file.startsWith(`${name}.`)) await fs.rename(join(quarantine.objects, "pack", file), join(target, file));
  }
}

/** Why commits of a session are not taken over, in words. */
export function describeRefusal(branch: string, commit: string, { reason }: RefusedContent): string {
  return `the objects of its branch ${branch} at ${shortCommit(commit)} were refused: ${reason}`;
}
