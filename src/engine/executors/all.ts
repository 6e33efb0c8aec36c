import type { Executors } from "../executor.ts";
import { createWorkspace } from "./create-workspace.ts";
import { endRun } from "./end-run.ts";
import { removeWorkspace } from "./remove-workspace.ts";
import { sendMessage } from "./send-message.ts";
import { startRun } from "./start-run.ts";

/** One executor for each kind of intent. */
export const executors: Executors = {
  "create-workspace": createWorkspace,
  "start-run": startRun,
  "send-message": sendMessage,
  "end-run": endRun,
  "remove-workspace": removeWorkspace,
};
