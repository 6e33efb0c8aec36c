import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { RemoteWrite } from "../../../ports/scm.ts";
import { markOf } from "../../../providers/forge/comment-mark.ts";
import { refusedRerun } from "../../../providers/forge/refused-rerun.ts";
import { jobPath } from "./job-ref.ts";
import { leaveTrain } from "./merge-train.ts";
import { DiscussionRecord, readable } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const DRAFT = /^(?:\s*(?:draft:|\[draft\]|\(draft\)))+\s*/i;

/** Writes to GitLab what was said or done locally; what it already has is not written again. */
export async function applyWrite(tools: GitlabTools, number: number, write: RemoteWrite): Promise<void> {
  const { client } = tools;
  const path = `/projects/:id/merge_requests/${number}`;
  const put = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    await client.write({ method: "PUT", path, body, answer: z.unknown() });
  };
  const find = async (id: string): Promise<DiscussionRecord | undefined> => {
    const found = readable(DiscussionRecord, await client.pages({ path: `${path}/discussions` }));
    return found.find((discussion) => discussion.id === id);
  };
  switch (write.kind) {
    case "reply": {
      const mark = markOf(write.commentId);
      // Replies without a GitLab thread are written as comments on the merge request.
      if (isTalk(write.threadId)) {
        return comment(tools, path, { text: `${write.text}\n\n_${write.author}_${mark}`, mark });
      }
      const thread = await find(write.threadId);
      if (thread?.notes.some(({ body }) => body.includes(mark.trim())) === true) return;
      const body = { body: `${write.text}\n\n_${write.author}_${mark}` };
      await client.write({
        method: "POST",
        path: `${path}/discussions/${write.threadId}/notes`,
        body,
        answer: z.unknown(),
      });
      return;
    }
    case "comment": {
      const mark = markOf(write.commentId);
      return comment(tools, path, { text: `${write.text}${mark}`, mark });
    }
    case "request-review":
      return requestReview(tools, path, write.reviewer);
    case "resolve": {
      const thread = await find(write.threadId);
      // A plain comment cannot be resolved on GitLab until someone replies.
      if (thread?.notes.some(({ resolvable }) => resolvable === true) !== true) return;
      const body = { resolved: write.resolved };
      await client.write({ method: "PUT", path: `${path}/discussions/${write.threadId}`, body, answer: z.unknown() });
      return;
    }
    case "label":
      return put({ add_labels: write.add.join(","), remove_labels: write.remove.join(",") });
    case "rerun":
      return retry(tools, write.ref);
    case "close":
      return put({ state_event: "close" });
    case "ready": {
      // The start of the title marks a draft.
      const { title } = await client.read({ path, answer: z.object({ title: z.string() }) });
      const ready = title.replace(DRAFT, "");
      return ready === title ? undefined : put({ title: ready });
    }
    case "dequeue":
      return leaveTrain(tools, number);
  }
}

// An existing comment, from before a crash, is recognized by its mark.
async function comment(
  { client }: GitlabTools,
  path: string,
  { text, mark }: { readonly text: string; readonly mark: string },
): Promise<void> {
  const known = readable(DiscussionRecord, await client.pages({ path: `${path}/discussions` }));
  if (known.some(({ notes }) => notes.some(({ body }) => body.includes(mark.trim())))) return;
  await client.write({ method: "POST", path: `${path}/discussions`, body: { body: text }, answer: z.unknown() });
}

// REST has no call for it; a quick action leaves no comment, and nobody is asked twice.
async function requestReview({ client }: GitlabTools, path: string, reviewer: string): Promise<void> {
  const body = { body: `/request_review @${reviewer}` };
  await client.write({ method: "POST", path: `${path}/notes`, body, answer: z.unknown() });
}

function isTalk(threadId: string): boolean {
  return threadId.startsWith("talk-");
}

async function retry(tools: GitlabTools, ref: string): Promise<void> {
  const path = jobPath(ref);
  await tools.client.write({ method: "POST", path: `${path}/retry`, answer: z.unknown() }).catch(async (error) => {
    if (!(await wasRetried(tools, ref, error))) throw refusedRerun(error);
  });
}

const Job = z.object({ name: z.string(), pipeline: z.object({ id: z.number() }) });
const NewerJob = z.object({ id: z.number(), name: z.string() });

// A job that was retried before a crash is refused the second time, as is one that cannot be retried at all.
async function wasRetried({ client }: GitlabTools, ref: string, error: unknown): Promise<boolean> {
  if (!(error instanceof PluginError) || !error.message.includes("not retryable")) return false;
  const path = jobPath(ref);
  const { name, pipeline } = await client.read({ path, answer: Job });
  const jobs = await client.pages({ path: path.replace(/jobs\/\d+$/, `pipelines/${pipeline.id}/jobs`) });
  const id = Number(ref.split("/").at(-1));
  return readable(NewerJob, jobs).some((job) => job.name === name && job.id > id);
}
