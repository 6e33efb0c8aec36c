import { z } from "zod";
import type { MergeAnswer, MergeRequest } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import type { GitlabTools } from "./tools.ts";

const Car = z.object({ status: z.string() });
const OVER: readonly string[] = ["merged", "skip_merged"];

/**
 * Adds a merge request to the project's merge train, unless it is on it. GitLab then runs a pipeline on the result and merges it; the
 * jobs of that pipeline are checks of the merge request, so that a red one reaches the agent and keeps it off the train.
 */
export async function boardTrain({ client }: GitlabTools, request: MergeRequest): Promise<MergeAnswer> {
  const path = `/projects/:id/merge_trains/merge_requests/${request.number}`;
  const car = await client.read({ path, answer: Car }).catch(ignoreMissing);
  if (car === undefined || OVER.includes(car.status)) {
    const body = { sha: request.head, squash: request.strategy === "squash" };
    await client.write({ method: "POST", path, body, answer: z.unknown() });
  }
  return { kind: "waits", reason: "it is on GitLab's merge train", files: [] };
}
