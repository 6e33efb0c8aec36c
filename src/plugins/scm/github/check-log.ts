import { z } from "zod";
import type { ReportedCheck } from "../../../core/change/observation.ts";
import type { GithubTools } from "./tools.ts";

const MAX_LOG_CHARS = 20_000;

const Job = z.object({
  steps: z.array(z.object({ name: z.string(), conclusion: z.string().nullish() })).nullish(),
});

/** The failed step of a job and the end of its log; null: another app reported the check, which has at most a page. */
export async function readCheckLog(tools: GithubTools, check: ReportedCheck<string>): Promise<string | null> {
  if (!/^\d+$/.test(check.ref)) return null;
  const parameters = { ...tools.repository, job_id: Number(check.ref) };
  const route = "GET /repos/{owner}/{repo}/actions/jobs/{job_id}";
  // In parallel: an agent waits for both.
  const [job, log] = await Promise.all([
    tools.client.rest({ route, parameters, answer: Job }),
    tools.client.rest({ route: `${route}/logs`, parameters, answer: z.string() }),
  ]);
  const step = job.steps?.find(({ conclusion }) => conclusion === "failure")?.name ?? null;
  // Each line starts with a time, which differs in every run.
  const lines = log.split("\n").map((line) => line.replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z ?/, ""));
  const text = lines.join("\n").trim().slice(-MAX_LOG_CHARS);
  return step === null ? text : `Failed step: ${step}\n\n${text}`;
}
