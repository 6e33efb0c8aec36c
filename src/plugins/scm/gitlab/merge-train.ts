import { z } from "zod";
import type { ReportedCheck, ReportedQueue } from "../../../core/change/observation.ts";
import { PluginError } from "../../../core/errors.ts";
import type { MergeAnswer, MergeRequest } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { NoteRecord, readable } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const NAME = "GitLab's merge train";

const Car = z.object({ merge_request: z.object({ iid: z.number() }) });

/** Places on the merge train of a branch, by the number of the merge request. */
export type Train = ReadonlyMap<number, number>;

/** The merge requests on the train of a branch, the next one first. */
export async function readTrain({ client }: GitlabTools, base: string): Promise<Train> {
  const path = `/projects/:id/merge_trains/${encodeURIComponent(base)}`;
  const cars = await client.pages({ path, query: { scope: "active", sort: "asc" } }).catch(ignoreMissing);
  return toTrain(cars ?? []);
}

function toTrain(cars: readonly unknown[]): Train {
  return new Map(readable(Car, cars).map(({ merge_request: { iid } }, index) => [iid, index + 1]));
}

/** Adds exactly this commit to the train; if it is already there it stays in place. */
export async function boardTrain(tools: GitlabTools, request: MergeRequest): Promise<MergeAnswer> {
  const { number, head, strategy } = request;
  const notes = { path: `/projects/:id/merge_requests/${number}/notes`, query: { sort: "desc", per_page: 100 } };
  const latest = await tools.client.read({ ...notes, answer: z.array(z.unknown()) });
  const removal = removalIn(readable(NoteRecord, latest))?.id ?? null;
  const position = (await readTrain(tools, request.base)).get(number);
  if (position !== undefined) return { kind: "queued", name: NAME, position, removal };
  const path = `/projects/:id/merge_trains/merge_requests/${number}`;
  const body = { sha: head, squash: strategy === "squash" };
  const cars = await tools.client.write({ method: "POST", path, body, answer: z.unknown() });
  const joined = toTrain(Array.isArray(cars) ? cars : []).get(number) ?? null;
  return { kind: "queued", name: NAME, position: joined, removal };
}

/** Removes it from the train, if it is there. */
export async function leaveTrain({ client }: GitlabTools, number: number): Promise<void> {
  const path = `/projects/:id/merge_requests/${number}/cancel_merge_when_pipeline_succeeds`;
  await client.write({ method: "POST", path, answer: z.unknown() }).catch((error: unknown) => {
    if (!(error instanceof PluginError) || error.category !== "conflict") throw error;
  });
}

const Pipeline = z.object({ id: z.number(), ref: z.string().nullish(), status: z.string() });
const Job = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  web_url: z.string().nullish(),
});

/** The job that failed in the newest pipeline of a merge request on the train; null: none did. */
export async function failedOnTrain({ client }: GitlabTools, number: number): Promise<ReportedCheck<string> | null> {
  const path = `/projects/:id/merge_requests/${number}/pipelines`;
  const pipelines = readable(Pipeline, await client.read({ path, answer: z.array(z.unknown()) }));
  const [newest] = pipelines
    .filter(({ ref, status }) => ref === `refs/merge-requests/${number}/train` && status === "failed")
    .toSorted((one, other) => other.id - one.id);
  if (newest === undefined) return null;
  const jobs = readable(Job, await client.pages({ path: `/projects/:id/pipelines/${newest.id}/jobs` }));
  const job = jobs.find(({ status, allow_failure: mayFail }) => status === "failed" && mayFail !== true);
  if (job === undefined) return null;
  const { name, id, web_url: url = null } = job;
  return { name, ref: String(id), state: "failed", url, log: null, tookMs: null };
}

const REMOVED = /^removed this merge request from the merge train(?: because (.*))?$/s;

/** The last time it left the train without being merged, which only GitLab's own notes show; null: never. */
export function removalIn(notes: readonly NoteRecord[]): ReportedQueue<string>["removal"] {
  const removals = notes.filter(({ system, body }) => system && REMOVED.test(body.trim()));
  const [last] = removals.toSorted((one, other) => other.id - one.id);
  if (last === undefined) return null;
  const why = REMOVED.exec(last.body.trim())?.[1];
  const id = String(last.id);
  if (why === undefined) return { id, cause: "person", reason: "somebody removed it" };
  if (/pipeline/i.test(why)) {
    return { id, cause: "failure", reason: "its checks failed together with what was merged before it" };
  }
  if (/conflict/i.test(why)) return { id, cause: "failure", reason: "it conflicts with what was merged before it" };
  return { id, cause: "other", reason: why };
}
