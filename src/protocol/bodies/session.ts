import { z } from "zod";
import { PERMISSION_LEVELS, RUNTIME_NAMES } from "../choices.ts";
import type { View } from "../views/view.ts";
import { environment, name, path, prompt, title } from "./text.ts";

const now = z.boolean().exactOptional().describe("Start even over the limit.");
const wait = z
  .boolean()
  .exactOptional()
  .describe("Answer once the workspace is ready (or failed, or queued) instead of at once.");

export const CreateSessionBody = z
  .strictObject({
    projectId: name.exactOptional(),
    issue: z.coerce.string<string>().min(1).max(500).exactOptional(),
    title: title.exactOptional(),
    prompt: prompt.exactOptional(),
    agent: name.exactOptional(),
    runtime: name.exactOptional(),
    model: name.exactOptional().describe("The model, instead of the project's."),
    permissions: z
      .enum(PERMISSION_LEVELS)
      .exactOptional()
      .describe("What the agent may do without asking, instead of the project's."),
    branch: name.exactOptional(),
    on: name
      .exactOptional()
      .describe("The session or pull request (`#7`) whose branch it builds on; default: the default branch."),
    pullRequest: z
      .int()
      .positive()
      .exactOptional()
      .describe("An open pull request of the forge, which the session claims; it brings title and branch."),
    now,
    wait,
    cwd: path.exactOptional().describe("The caller's folder, to find the project when none is named."),
    env: environment.exactOptional().describe("PATH and SSH_AUTH_SOCK of the calling shell."),
  })
  .meta({ id: "CreateSessionBody" });
export type CreateSessionBody = View<typeof CreateSessionBody>;

export const RestoreBody = z
  .strictObject({
    now,
    wait,
    env: environment.exactOptional().describe("What agents need from the caller's shell; default: unchanged."),
  })
  .meta({ id: "RestoreBody" });
export type RestoreBody = View<typeof RestoreBody>;

export const StopBody = z.strictObject({
  wait: z.boolean().exactOptional().describe("Answer once it is stopped, or with `timeout` after two minutes."),
});
export const MessageBody = z.strictObject({ content: prompt.min(1) });
export const AnswerBody = z.strictObject({
  choice: prompt,
  questionId: name.exactOptional().describe("Refused when another question is open."),
});
export const MoveBody = z.strictObject({ runtime: z.enum(RUNTIME_NAMES) });
export const CommitBody = z.strictObject({
  message: prompt.min(1),
  now: z.boolean().exactOptional().describe("Also while its agent works."),
});
