import { join } from "node:path";
import { z } from "zod";
import type { Host } from "../../../../ports/host.ts";
import type { CheckRequest } from "../../../../ports/scm.ts";
import type { CheckAnswer, CheckCommand } from "../../../../ports/scm-check.ts";
import type { HeldCommand } from "./held-command.ts";

/** The content of one attempt's folder. */
export interface CheckFolder {
  /** The checkout; removed when it is over. */
  readonly tree: string;
  /** For a check in a sandbox: its home and temporary files, and a copy of the checkout's git folder that it cannot write. */
  readonly scratch: string;
  readonly git: string;
  /** Run folders of set-up and command. */
  readonly setUp: string;
  readonly run: string;
  readonly setUpLog: string;
  readonly log: string;
  readonly answer: string;
  /** How often it was started. */
  readonly starts: string;
}

/** The names in the folder of one attempt. */
export function checkFolder(folder: string): CheckFolder {
  return {
    tree: join(folder, "tree"),
    scratch: join(folder, "scratch"),
    git: join(folder, "git"),
    setUp: join(folder, "setup"),
    run: join(folder, "run"),
    setUpLog: join(folder, "setup.log"),
    log: join(folder, "log"),
    answer: join(folder, "answer.json"),
    starts: join(folder, "starts"),
  };
}

/** What both commands of a check share. */
export function commandOf(
  request: CheckRequest,
  stage: CheckCommand["stage"],
): Pick<HeldCommand, "cwd" | "intentId" | "env" | "timeoutMs" | "enclose"> {
  const { project, commit, check, folder, intentId, env, timeoutMs, enclose } = request;
  const own = { AO_CHECK: check, AO_COMMIT: commit, AO_PROJECT: project.id };
  const { tree, scratch } = checkFolder(folder);
  return {
    ...{ cwd: tree, intentId, timeoutMs, env: { CI: "true", ...env, ...own } },
    ...(enclose === undefined
      ? {}
      : { enclose: (argv: readonly string[], runDir: string) => enclose({ stage, argv, runDir, tree, scratch }) }),
  };
}

const Ended = { log: z.string(), tookMs: z.number() };
const Answer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("passed"), ...Ended }),
  z.object({ kind: z.literal("failed"), code: z.number(), ...Ended }),
  z.object({ kind: z.literal("timed-out"), ...Ended }),
  z.object({ kind: z.literal("setup-failed"), ...Ended }),
]);

/** The answer already given for this attempt, or null. */
export async function readAnswer(host: Host, files: CheckFolder): Promise<CheckAnswer | null> {
  const text = await host.fs.readText(files.answer);
  return text === null ? null : Answer.parse(JSON.parse(text));
}
