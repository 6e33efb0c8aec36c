import { z } from "zod";
import type { ScmProject, WatchedChange } from "../../../ports/scm.ts";
import { readHead } from "../../../providers/git/scm/read-head.ts";
import { fetchBase } from "../../../providers/git/scm/remote-repository.ts";
import { findForkPipelines } from "./fork-checks.ts";
import { createMemory } from "./memory.ts";
import { failedOnTrain, readTrain, type Train } from "./merge-train.ts";
import { readMergedResult } from "./merged-results.ts";
import { createPipelineWatch, type PipelineMarks } from "./pipelines.ts";
import { createReviewReader, type ReadReviews } from "./read-reviews.ts";
import { MergeRequestRecord, readable, StatusRecord } from "./records.ts";
import { readSettings, type Settings } from "./settings.ts";
import type { GitlabTools } from "./tools.ts";

/** How many merge requests fit on one page. */
const AT_ONCE = 100;
const HALF_HOUR = 30 * 60_000;
/** A push to the base that starts no pipeline shows up at the latest after this long. */
const BASE_MS = 5 * 60_000;

/** A merge request with everything known about it. */
export interface ReadMergeRequest {
  readonly record: MergeRequestRecord;
  readonly statuses: readonly StatusRecord[];
  readonly said: ReadReviews;
  readonly settings: Settings;
  /** The commit of the base. */
  readonly baseHead: string;
  /** The jobs of that commit; null: not read, because nothing failed that could be compared with it. */
  readonly baseStatuses: readonly StatusRecord[] | null;
  /** The merge train of the base; null: not requested. */
  readonly train: Train | null;
}

const MOVING: readonly string[] = ["created", "waiting_for_resource", "preparing", "pending", "running", "canceling"];

/**
 * Reads merge requests with two requests while nothing happens: the merge requests themselves, and changed pipelines.
 * The rest is read if one of them shows a change.
 */
export function createMergeRequestReader(
  tools: GitlabTools,
): (project: ScmProject, changes: readonly WatchedChange[]) => Promise<readonly ReadMergeRequest[]> {
  const { clock } = tools.host;
  const isMoving = (statuses: readonly StatusRecord[]): boolean =>
    statuses.some(({ status }) => MOVING.includes(status));
  const statusMemory = createMemory<readonly StatusRecord[]>({ clock, keepMs: HALF_HOUR, isMoving });
  const isIncomplete = (said: ReadReviews): boolean => said.isIncomplete;
  const reviewMemory = createMemory<ReadReviews>({ clock, keepMs: HALF_HOUR, isMoving: isIncomplete });
  const settingsMemory = createMemory<Settings>({ clock, keepMs: HALF_HOUR });
  const resultMemory = createMemory<string | null>({ clock, keepMs: HALF_HOUR });
  const baseMemory = createMemory<string>({ clock, keepMs: BASE_MS });
  const readReviews = createReviewReader(tools);
  const watchPipelines = createPipelineWatch(tools);
  const statusesOf = (sha: string, pipelines: PipelineMarks): Promise<readonly StatusRecord[]> =>
    statusMemory(sha, pipelines.ofCommit(sha), () => readStatuses(tools, sha));
  const checksOf = async (
    record: MergeRequestRecord,
    pipelines: PipelineMarks,
    settings: Settings,
  ): Promise<readonly StatusRecord[]> => {
    const forked = await findForkPipelines(tools, record);
    const elsewhere = forked === null ? [] : await statusMemory(`!${record.iid}`, forked.mark, forked.read);
    const own = [...(await statusesOf(record.sha ?? "", pipelines)), ...elsewhere];
    if (settings.merge_pipelines_enabled !== true) return own;
    const mark = `${record.sha} ${pipelines.ofMergeRequest(record.iid)}`;
    const result = await resultMemory(`${record.iid}`, mark, () => readMergedResult(tools, record));
    return result === null ? own : [...own, ...(await statusesOf(result, pipelines))];
  };
  return async (project, changes) => {
    const numbers = changes.map(({ number }) => number);
    const records = await listMergeRequests(tools, numbers);
    if (records.length === 0) return [];
    const pipelines = await watchPipelines();
    const base = project.defaultBranch;
    const newest = records.reduce((last, { updated_at: at }) => (at > last ? at : last), "");
    const settings = await settingsMemory("", "", () => readSettings(tools));
    const baseHead = await baseMemory(base, `${newest} ${pipelines.ofBranch(base)}`, () => readBase(tools, project));
    const queued = new Set(changes.flatMap(({ number, isQueued }) => (isQueued === true ? number : [])));
    const train = queued.size === 0 ? null : await readTrain(tools, base);
    const read: ReadMergeRequest[] = [];
    for (const record of records) {
      const statuses = await checksOf(record, pipelines, settings);
      const said = await reviewMemory(`${record.iid}`, record.updated_at, () => readReviews(record.iid));
      const ownTrain = queued.has(record.iid) ? train : null;
      const hasFailed = statuses.some(({ status }) => status === "failed");
      const baseStatuses = hasFailed ? await statusesOf(baseHead, pipelines) : null;
      const isRemoved = ownTrain?.has(record.iid) === false;
      const removal = isRemoved ? await withFailedJob(tools, record.iid, said.removal) : said.removal;
      read.push({ record, statuses, said: { ...said, removal }, settings, baseHead, baseStatuses, train: ownTrain });
    }
    return read;
  };
}

// Only of one that was on the train until now: the failed job costs two requests.
async function withFailedJob(
  tools: GitlabTools,
  number: number,
  removal: ReadReviews["removal"],
): Promise<ReadReviews["removal"]> {
  if (removal?.cause !== "failure") return removal;
  const check = await failedOnTrain(tools, number);
  return check === null ? removal : { ...removal, check };
}

async function listMergeRequests(
  tools: GitlabTools,
  numbers: readonly number[],
): Promise<readonly MergeRequestRecord[]> {
  const found: MergeRequestRecord[] = [];
  for (let start = 0; start < numbers.length; start += AT_ONCE) {
    const query = { iids: numbers.slice(start, start + AT_ONCE) };
    const records = await tools.client.pages({ path: "/projects/:id/merge_requests", query });
    found.push(...readable(MergeRequestRecord, records));
  }
  return found;
}

async function readStatuses(tools: GitlabTools, sha: string): Promise<readonly StatusRecord[]> {
  if (sha === "") return [];
  const path = `/projects/:id/repository/commits/${sha}/statuses`;
  return readable(StatusRecord, await tools.client.pages({ path }));
}

const Branch = z.object({ commit: z.object({ id: z.string() }) });

// A newer base is fetched before it is reported, because merging with it is tried locally.
async function readBase(tools: GitlabTools, project: ScmProject): Promise<string> {
  const { defaultBranch: base } = project;
  const path = `/projects/:id/repository/branches/${encodeURIComponent(base)}`;
  const { commit } = await tools.client.read({ path, answer: Branch });
  if (commit.id !== (await readHead(tools, project, base))) await fetchBase(tools, project);
  return commit.id;
}
