import { join } from "node:path";
import type { AgentSignal } from "../../core/agent-signal.ts";
import { decodeMessage, encodeSignal, type LinesMessage } from "../../core/lines-protocol.ts";
import type { HostFs } from "../../ports/host.ts";
import type { FakeRepository } from "../fakes/repository.ts";
import type { FakeProcess, FakeProgram } from "../fakes/runtime.ts";
import type { WorkspaceWorld } from "../fakes/workspace.ts";

export interface DiaryEntry extends LinesMessage {
  readonly sessionId: string;
  readonly run: number;
}

interface Surroundings {
  readonly fs: HostFs;
  readonly repository: FakeRepository;
  readonly workspace: WorkspaceWorld;
}

/**
 * An agent that writes down every message, confirms it, and obeys words in its text: `!commit NAME` commits a file,
 * `!ask` asks a question, `!exit N` ends its process. Every other message ends with `done`. In a terminal it only writes down; with
 * one process for each message it writes down and exits.
 */
export function createDiaryAgent(around: Surroundings): {
  readonly program: FakeProgram;
  readonly diary: readonly DiaryEntry[];
} {
  const diary: DiaryEntry[] = [];
  const program: FakeProgram = (process) => {
    const { sessionId, run, input, initialInput } = process.spec;
    const writeDown = (message: LinesMessage): void => void diary.push({ ...message, sessionId, run });
    if (input === "file") {
      writeDown(asMessage(initialInput));
      process.exit(0);
    }
    process.onLine((line) => {
      const message = decodeMessage(line);
      writeDown(message ?? asMessage(line));
      if (message !== null) obey(process, message, around);
    });
  };
  return { program, diary };
}

// What is typed, or is the whole input of a process, has no id.
function asMessage(text: string): LinesMessage {
  return { id: "", kind: "message", text, attempt: 1 };
}

function obey(process: FakeProcess, { id, kind, text }: LinesMessage, around: Surroundings): void {
  const say = (signal: AgentSignal): void => process.print(encodeSignal(signal));
  if (kind !== "answer") say({ kind: "received", id });
  const exit = /!exit (\d+)/.exec(text)?.[1];
  const file = /!commit (\S+)/.exec(text)?.[1];
  if (file !== undefined) commit(process.spec.cwd, file, around);
  if (exit !== undefined) process.exit(Number(exit));
  else if (text.includes("!ask")) say({ kind: "asked", id: `q-${id}`, question: "Deploy?", choices: ["Yes", "No"] });
  else say({ kind: "done", summary: "done" });
}

function commit(cwd: string, file: string, { fs, repository, workspace }: Surroundings): void {
  const branch = workspace.branchAt(cwd);
  if (branch === null) return;
  void fs.writeText(join(cwd, file), "by the agent\n");
  repository.commitTo(branch, { [file]: "by the agent\n" }, { message: `Add ${file}` });
}
