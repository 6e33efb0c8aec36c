import type { Executors } from "../executor.ts";
import { buildTrain } from "./build-train.ts";
import { checkCommit } from "./check-commit.ts";
import { closeIssue } from "./close-issue.ts";
import { createWorkspace } from "./create-workspace.ts";
import { deleteBranch } from "./delete-branch.ts";
import { endRun } from "./end-run.ts";
import { mergeChange } from "./merge-change.ts";
import { notify } from "./notify.ts";
import { openChange } from "./open-change.ts";
import { publishChange } from "./publish-change.ts";
import { readBranch } from "./read-branch.ts";
import { releaseTrain } from "./release-train.ts";
import { removeWorkspace } from "./remove-workspace.ts";
import { restrictNetwork } from "./restrict-network.ts";
import { revertMerge } from "./revert-merge.ts";
import { runCheck } from "./run-check.ts";
import { runCommand } from "./run-command.ts";
import { sendMessage } from "./send-message.ts";
import { startRun } from "./start-run.ts";
import { transferChange } from "./transfer-change.ts";
import { tryMerge } from "./try-merge.ts";
import { writeChange } from "./write-change.ts";

/** One executor for each kind of intent. */
export const executors: Executors = {
  "create-workspace": createWorkspace,
  "start-run": startRun,
  "send-message": sendMessage,
  "end-run": endRun,
  "restrict-network": restrictNetwork,
  "remove-workspace": removeWorkspace,
  "read-branch": readBranch,
  "open-change": openChange,
  "transfer-change": transferChange,
  "publish-change": publishChange,
  "write-change": writeChange,
  "run-check": runCheck,
  "run-command": runCommand,
  "try-merge": tryMerge,
  "merge-change": mergeChange,
  "build-train": buildTrain,
  "release-train": releaseTrain,
  "check-commit": checkCommit,
  "revert-merge": revertMerge,
  "close-issue": closeIssue,
  "delete-branch": deleteBranch,
  notify,
};
