import { dirname, join } from "node:path";
import type { Host } from "../../ports/host.ts";
import type { CheckRequest, Scm } from "../../ports/scm.ts";
import type { CheckAnswer } from "../../ports/scm-check.ts";
import type { FakeRepository } from "./repository.ts";
import { runTinyShell } from "./tiny-shell.ts";

/** How often a running check asks whether it is still wanted. */
const ASK_MS = 100;

export interface FakeChecks {
  readonly run: Scm["runCheck"];
  readonly readLog: Scm["readCheckLog"];
  /** Folders of started attempts, in order. */
  readonly started: string[];
}

interface Attempt {
  log: string;
  readonly answer: Promise<CheckAnswer>;
}

/** Checks whose commands run in the tiny shell. An attempt lives in the machine, so it survives the daemon. */
export function createFakeChecks(host: Host, repository: FakeRepository): FakeChecks {
  const attempts = new Map<string, Attempt>();
  const started: string[] = [];
  const begin = (request: CheckRequest, isWanted: () => boolean): Attempt => {
    const attempt = { log: "", answer: Promise.resolve<CheckAnswer>({ kind: "cancelled", reason: "" }) };
    const work = runAttempt({ host, repository, request, attempt });
    started.push(request.folder);
    const answer = Promise.race([work, cancelled(host, isWanted)]).then((result) => {
      if (result.kind === "cancelled") attempts.delete(request.folder);
      return result;
    });
    return Object.assign(attempt, { answer });
  };
  return {
    started,
    run: (request, isWanted) => {
      if (!isWanted()) return Promise.resolve({ kind: "cancelled", reason: "it is not wanted" });
      const known = attempts.get(request.folder) ?? begin(request, isWanted);
      attempts.set(request.folder, known);
      return known.answer;
    },
    readLog: async (folder, cursor) => {
      const attempt = attempts.get(folder);
      return attempt === undefined ? null : { text: attempt.log.slice(cursor ?? 0), cursor: attempt.log.length };
    },
  };
}

interface Running {
  readonly host: Host;
  readonly repository: FakeRepository;
  readonly request: CheckRequest;
  readonly attempt: { log: string };
}

async function runAttempt({ host, repository, request, attempt }: Running): Promise<CheckAnswer> {
  const { fs, clock } = host;
  const checkout = join(request.folder, "checkout");
  await fs.makeDir(checkout);
  for (const [name, text] of repository.get(request.commit)?.tree ?? []) {
    await fs.makeDir(dirname(join(checkout, name)));
    await fs.writeText(join(checkout, name), text);
  }
  const print = (text: string): void => {
    attempt.log += text;
  };
  const shell = {
    fs,
    cwd: checkout,
    env: request.env,
    print,
    complain: print,
    sleep: (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve)),
    kill: () => undefined,
  };
  const begun = clock.now();
  const limited = (script: string): Promise<number | null> =>
    Promise.race([
      runTinyShell(script, shell),
      new Promise<null>((resolve) => clock.after(request.timeoutMs, () => resolve(null))),
    ]);
  request.onPhase?.("set-up");
  const prepared = await limited(request.setup ?? "");
  request.onPhase?.("run");
  const code = prepared === 0 ? await limited(request.run) : prepared;
  await fs.remove(checkout);
  const facts = { log: attempt.log.trimEnd(), tookMs: clock.now() - begun };
  if (code === null) return { kind: "timed-out", ...facts };
  if (prepared !== 0) return { kind: "setup-failed", ...facts };
  return code === 0 ? { kind: "passed", ...facts } : { kind: "failed", code, ...facts };
}

function cancelled({ clock }: Host, isWanted: () => boolean): Promise<CheckAnswer> {
  return new Promise((resolve) => {
    const ask = (): void => {
      if (isWanted()) clock.after(ASK_MS, ask);
      else resolve({ kind: "cancelled", reason: "it is not wanted any more" });
    };
    clock.after(ASK_MS, ask);
  });
}
