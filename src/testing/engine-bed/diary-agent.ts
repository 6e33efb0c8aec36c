import { dirname, join } from "node:path";
import type { AgentSignal } from "../../core/agent-signal.ts";
import { decodeMessage, encodeSignal, type LinesMessage } from "../../core/lines-protocol.ts";
import type { HostFs } from "../../ports/host.ts";
import type { FakeRepository } from "../fakes/repository.ts";
import type { FakeProcess, FakeProgram } from "../fakes/runtime.ts";
import type { WorkspaceWorld } from "../fakes/workspace.ts";

export interface DiaryEntry extends LinesMessage {
  readonly sessionId: string;
  readonly run: number;
  /** The only hosts that it could reach when it got this; null: those of its sandbox. */
  readonly onlyHosts: readonly string[] | null;
}

interface Surroundings {
  readonly fs: HostFs;
  readonly repository: FakeRepository;
  readonly workspace: WorkspaceWorld;
  readonly limits: ReadonlyMap<string, readonly string[] | null>;
}

/**
 * An agent that records every message, confirms it, and obeys words in its text: `!commit NAME` or `!commit NAME=TEXT`
 * commits a file, `!delete NAME` deletes one, a message about a conflict with main makes it merge main, whose files win,
 * `!ask` asks a question, `!exit N` ends its process. Every other message ends with `done`. In a terminal it only
 * records; with one process per message it records and exits.
 */
export function createDiaryAgent(around: Surroundings): {
  readonly program: FakeProgram;
  readonly diary: readonly DiaryEntry[];
} {
  const diary: DiaryEntry[] = [];
  const program: FakeProgram = (process) => {
    const { sessionId, run, runDir, input, initialInput } = process.spec;
    const writeDown = (message: LinesMessage): void => {
      diary.push({ ...message, sessionId, run, onlyHosts: around.limits.get(runDir) ?? null });
    };
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

// Typed text, or the whole input of a process, has no id.
function asMessage(text: string): LinesMessage {
  return { id: "", kind: "message", text, attempt: 1 };
}

function obey(process: FakeProcess, { id, kind, text }: LinesMessage, around: Surroundings): void {
  const say = (signal: AgentSignal): void => process.print(encodeSignal(signal));
  if (kind !== "answer") say({ kind: "received", id });
  const exit = /!exit (\d+)/.exec(text)?.[1];
  const [, file, content] = /!commit ([^\s=]+)(?:=(\S+))?/.exec(text) ?? [];
  if (file !== undefined) commit(process.spec.cwd, { [file]: `${content ?? "by the agent"}\n` }, around);
  const deleted = /!delete (\S+)/.exec(text)?.[1];
  if (deleted !== undefined) commit(process.spec.cwd, { [deleted]: null }, around);
  if (/^Your pull request #\d+ conflicts with main\./.test(text)) mergeMain(process.spec.cwd, around);
  if (exit !== undefined) process.exit(Number(exit));
  else if (text.includes("!ask")) say({ kind: "asked", id: `q-${id}`, question: "Deploy?", choices: ["Yes", "No"] });
  else say({ kind: "done", summary: "done" });
}

function commit(
  cwd: string,
  files: Readonly<Record<string, string | null>>,
  { fs, repository, workspace }: Surroundings,
): void {
  const branch = workspace.branchAt(cwd);
  if (branch === null) return;
  for (const [file, text] of Object.entries(files)) {
    void (text === null ? fs.remove(join(cwd, file)) : write(fs, join(cwd, file), text));
  }
  repository.commitTo(branch, files, { message: `Add ${Object.keys(files).join(", ")}` });
}

async function write(fs: HostFs, path: string, text: string): Promise<void> {
  await fs.makeDir(dirname(path));
  await fs.writeText(path, text);
}

function mergeMain(cwd: string, { repository, workspace }: Surroundings): void {
  const branch = workspace.branchAt(cwd);
  const [head, main] = [repository.head(branch ?? ""), repository.head("main")];
  if (branch === null || head === null || main === null) return;
  const files = [...(repository.get(head)?.tree ?? []), ...(repository.get(main)?.tree ?? [])];
  const tree = new Map([...files, [`resolved-${branch.replaceAll("/", "-")}`, "yes\n"]]);
  repository.setHead(branch, repository.commit({ parents: [head, main], tree, subject: "Merge main" }).id);
}
