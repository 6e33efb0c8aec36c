import type { CheckRequest } from "../../../../ports/scm.ts";
import { createLane } from "../../../../providers/git/lane.ts";
import type { ScmTools } from "../../../../providers/git/scm/tools.ts";
import { type CheckFolder, commandOf } from "./folder.ts";
import { type CommandEnd, isBegun, runCommand } from "./held-command.ts";
import { cacheOf, restoreSetUp, storeSetUp } from "./set-up-cache.ts";
import { planSetUp, type SetUpPlan } from "./set-up-key.ts";

const LOOK_MS = 100;

export type SetUpEnd = { readonly kind: "ready" } | CommandEnd;

// Shared by all instances: there is one folder of prepared checkouts.
const lane = createLane();

/**
 * Prepares a clean checkout: with what an earlier set-up created, or by running the set-up, once for the same
 * lockfiles.
 */
export async function setUp(
  tools: ScmTools,
  request: CheckRequest,
  { files, isWanted }: { readonly files: CheckFolder; readonly isWanted: () => boolean },
): Promise<SetUpEnd> {
  const plan = await planSetUp(tools, request);
  if (plan === null) return { kind: "ready" };
  const cache = cacheOf(tools, request);
  const work = (): Promise<SetUpEnd> => prepare(tools, request, { files, plan, cache }, isWanted);
  return cache === null ? work() : queue(tools, `${cache}/${plan.key}`, { work, isWanted });
}

// A caller waiting for the same set-up can still learn that it is not wanted.
async function queue(
  tools: ScmTools,
  key: string,
  { work, isWanted }: { readonly work: () => Promise<SetUpEnd>; readonly isWanted: () => boolean },
): Promise<SetUpEnd> {
  let turn: "waits" | "here" | "left" = "waits";
  let wake = (): void => undefined;
  const isWaiting = (): boolean => turn === "waits";
  const result = lane(key, async (): Promise<SetUpEnd> => {
    if (!isWaiting()) return { kind: "unwanted" };
    turn = "here";
    wake();
    return work();
  });
  while (isWaiting()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
      tools.host.clock.after(LOOK_MS, resolve);
    });
    if (!isWaiting() || isWanted()) continue;
    turn = "left";
    return { kind: "unwanted" };
  }
  return result;
}

interface Preparation {
  readonly files: CheckFolder;
  readonly plan: SetUpPlan;
  readonly cache: string | null;
}

async function prepare(
  tools: ScmTools,
  request: CheckRequest,
  { files, plan, cache }: Preparation,
  isWanted: () => boolean,
): Promise<SetUpEnd> {
  const begun = await isBegun(tools.host, files.setUp);
  if (cache !== null && !begun && (await restoreSetUp(tools, cache, { key: plan.key, tree: files.tree }))) {
    await tools.host.fs.writeText(
      files.setUpLog,
      `ao: set-up reused, not run again: ${plan.command.replaceAll(/\s+/g, " ")} (${plan.basis})\n`,
    );
    return { kind: "ready" };
  }
  const place = { runDir: files.setUp, log: files.setUpLog, command: plan.command };
  const end = await runCommand(tools.host, { ...commandOf(request, "set-up"), ...place }, isWanted);
  if (end.kind !== "exited" || end.code !== 0) return end;
  if (cache !== null) {
    await storeSetUp(tools, cache, { plan, files, isEnclosed: request.enclose !== undefined }).catch((error: unknown) =>
      tools.host.log.warn("a prepared checkout could not be kept", { reason: String(error) }),
    );
  }
  return { kind: "ready" };
}
