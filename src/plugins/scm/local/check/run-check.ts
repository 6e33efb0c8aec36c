import { join } from "node:path";
import { AoError } from "../../../../core/errors.ts";
import { pause } from "../../../../ports/poll.ts";
import type { CheckRequest } from "../../../../ports/scm.ts";
import type { CheckAnswer } from "../../../../ports/scm-check.ts";
import { createLane } from "../../../../providers/git/lane.ts";
import type { ScmTools } from "../../../../providers/git/scm/tools.ts";
import { endRun } from "../../../../providers/run-folder/run-folder.ts";
import { makeTree, removeTree } from "./clean-tree.ts";
import { type CheckFolder, checkFolder, commandOf, readAnswer } from "./folder.ts";
import { type CommandEnd, isBegun, MAX_LOG_BYTES, runCommand } from "./held-command.ts";
import { readLogTail, trimLog, withoutFolder } from "./log-tail.ts";
import { setUp } from "./set-up.ts";

/** How often a check whose processes vanish is started in all. */
const MAX_STARTS = 3;
const END_TRIES = 100;
/** Shell exit codes for a killed program, and for one that wrote too much. */
const KILLED = 137;
const WROTE_TOO_MUCH = 153;

const lane = createLane();

/**
 * Runs a check in a clean checkout of one commit, or takes over the one that a former daemon started in the same
 * folder. The folder shows its progress: an answer, a started command, a started set-up, or nothing, which means from
 * the start.
 */
export function runCheck(tools: ScmTools, request: CheckRequest, isWanted: () => boolean): Promise<CheckAnswer> {
  const { host } = tools;
  const files = checkFolder(request.folder);
  // The next attempt has its own folder, so nobody would come back to clean this one.
  const clearFirst = async (error: unknown): Promise<never> => {
    await clear(tools, request, files);
    throw error;
  };
  return lane(request.folder, () =>
    host.withIntent(request.intentId, async () => {
      const answer =
        (await readAnswer(host, files)) ?? (await work(tools, request, { files, isWanted }).catch(clearFirst));
      for (const path of treesOf(files)) await removeTree(host, path);
      return answer;
    }),
  );
}

async function work(
  tools: ScmTools,
  request: CheckRequest,
  { files, isWanted }: { readonly files: CheckFolder; readonly isWanted: () => boolean },
): Promise<CheckAnswer> {
  for (;;) {
    const end = await tryOnce(tools, request, { files, isWanted });
    if (end.kind === "unwanted") return cancel(tools, files);
    if (end.kind !== "gone") return finish(tools, files, end);
    const starts = await readStarts(tools, files);
    if (starts >= MAX_STARTS) return finish(tools, files, { kind: "exited", code: KILLED, tookMs: 0, in: end.in });
    await clear(tools, request, files);
  }
}

type Stage = "set-up" | "command";
type StageEnd = { readonly kind: "no-tree"; readonly reason: string } | (CommandEnd & { readonly in: Stage });
type Over = Exclude<StageEnd, { readonly kind: "unwanted" | "gone" }>;

async function tryOnce(
  tools: ScmTools,
  request: CheckRequest,
  { files, isWanted }: { readonly files: CheckFolder; readonly isWanted: () => boolean },
): Promise<StageEnd> {
  if (!(await isBegun(tools.host, files.run))) {
    request.onPhase?.("set-up");
    if (!(await isBegun(tools.host, files.setUp))) {
      const obstacle = await startFresh(tools, request, files);
      if (obstacle !== null) return { kind: "no-tree", reason: obstacle };
    }
    if (!isWanted()) return { kind: "unwanted", in: "set-up" };
    const prepared = await setUp(tools, request, { files, isWanted });
    if (prepared.kind !== "ready") return { ...prepared, in: "set-up" };
  }
  request.onPhase?.("run");
  const place = { runDir: files.run, log: files.log, command: request.run };
  return { ...(await runCommand(tools.host, { ...commandOf(request, "run"), ...place }, isWanted)), in: "command" };
}

// Nothing can be adopted: ends and removes what a former daemon may have started. Returns what prevents the check.
async function startFresh(tools: ScmTools, request: CheckRequest, files: CheckFolder): Promise<string | null> {
  const { fs } = tools.host;
  await clear(tools, request, files);
  await fs.makeDir(request.folder, { mode: 0o700 });
  await fs.writeText(files.starts, String((await readStarts(tools, files)) + 1));
  try {
    await makeTree(tools, request, files.tree);
    if (request.enclose !== undefined) await fs.copy(join(files.tree, ".git"), files.git);
    return null;
  } catch (error) {
    // A full disk says nothing about the commit.
    if (!(error instanceof AoError) || error.code === "disk-full") throw error;
    return error.message;
  }
}

function treesOf({ tree, scratch, git }: CheckFolder): readonly string[] {
  return [tree, scratch, git];
}

async function readStarts(tools: ScmTools, files: CheckFolder): Promise<number> {
  return Number.parseInt((await tools.host.fs.readText(files.starts)) ?? "", 10) || 0;
}

async function clear(tools: ScmTools, request: CheckRequest, files: CheckFolder): Promise<void> {
  const { processes, clock } = tools.host;
  for (let tries = 0; ; tries += 1) {
    const orphans = await processes.findByIntent(request.intentId);
    if (orphans.length === 0) break;
    if (tries === END_TRIES) {
      const message = `Processes of the check ${request.check} could not be ended.`;
      throw new AoError({ code: "plugin-failed", message, hint: "They may belong to another user; end them by hand." });
    }
    for (const { pid } of orphans) processes.signal(pid, "SIGKILL");
    await pause(clock, 20);
  }
  for (const path of treesOf(files)) await removeTree(tools.host, path);
  for (const path of [files.run, files.setUp, files.log, files.setUpLog]) await tools.host.fs.remove(path);
}

// No trace of it may look like a result later.
async function cancel(tools: ScmTools, files: CheckFolder): Promise<CheckAnswer> {
  for (const runDir of [files.run, files.setUp]) {
    await endRun(tools.host, { runDir }, 0);
    await tools.host.fs.remove(runDir);
  }
  // On a full disk it is cancelled all the same.
  await trimLogs(tools, files).catch(() => undefined);
  return { kind: "cancelled", reason: "it is not wanted any more" };
}

async function finish(tools: ScmTools, files: CheckFolder, end: Over): Promise<CheckAnswer> {
  const answer = await judge(tools, files, end);
  await tools.host.fs.writeText(files.answer, JSON.stringify(answer), { mode: 0o600 });
  await trimLogs(tools, files);
  return answer;
}

async function trimLogs({ host }: ScmTools, files: CheckFolder): Promise<void> {
  await trimLog(host, files.log);
  await trimLog(host, files.setUpLog);
}

async function judge(tools: ScmTools, files: CheckFolder, end: Over): Promise<CheckAnswer> {
  if (end.kind === "no-tree") return { kind: "setup-failed", log: end.reason, tookMs: 0 };
  const { tookMs } = end;
  const shown = await readLogTail(tools.host, end.in === "command" ? files.log : files.setUpLog);
  const log = addNote(await withoutFolder(tools.host, files.tree, shown), noteOf(end));
  if (end.in === "set-up") return { kind: "setup-failed", log, tookMs };
  if (end.kind === "timed-out") return { kind: "timed-out", log, tookMs };
  if (end.kind === "too-much") return { kind: "failed", code: WROTE_TOO_MUCH, log, tookMs };
  return end.code === 0 ? { kind: "passed", log, tookMs } : { kind: "failed", code: end.code, log, tookMs };
}

function noteOf(end: Over): string {
  if (end.kind === "too-much") return `ao: stopped because it printed more than ${MAX_LOG_BYTES / 1024 / 1024} MiB`;
  if (end.kind === "timed-out") return `ao: stopped because it was not done after ${Math.round(end.tookMs / 1000)} s`;
  return "";
}

function addNote(log: string, note: string): string {
  return note === "" || log === "" ? `${log}${note}` : `${log}\n${note}`;
}
