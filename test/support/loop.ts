import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { PullRequestDetailView, PullRequestView } from "../../src/protocol/views/pull-request.ts";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { tempDir } from "../../src/testing/temp.ts";
import type { DiaryEntry } from "./diary.ts";
import { type Fleet, type FleetOptions, makeFleet } from "./fleet.ts";
import { isConfirmed, isDelivery } from "./judge.ts";
import { until } from "./until.ts";
import { startWebhook, type Webhook } from "./webhook.ts";

export const rehearsalWithDiary = fileURLToPath(new URL("../fixtures/bin/diary-rehearsal.mjs", import.meta.url));

/** One run of the check, as recorded by the check itself. */
export interface Verdict {
  readonly check: string;
  readonly commit: string;
  readonly verdict: "red" | "green";
}

/** A fleet whose project has checks, merges approved and green pull requests automatically, and notifies a webhook. */
export interface LoopFleet extends Fleet {
  readonly hook: Webhook;
  /** Where everything below this fleet keeps its temporary files. */
  readonly tmp: string;
  verdicts(): readonly Verdict[];
  /** Checks wait halfway until the returned function is called. */
  holdChecks(): () => void;
  /** Starts the daemon and registers the project; the variables are for this first daemon only. */
  open(env?: Record<string, string>): Promise<void>;
  /** Starts work on an issue of the script folder; its session is named by it. */
  begin(issue: string, title: string): Promise<SessionDetailView>;
  /** Does the file of the issue say that it is closed? */
  isClosed(issue: string): boolean;
  pullRequests(): Promise<readonly PullRequestView[]>;
  pullRequest(number: number): Promise<PullRequestDetailView>;
  /** Waits until a pull request is as described. */
  reach(
    number: number,
    what: string,
    isReached: (pr: PullRequestDetailView) => boolean,
  ): Promise<PullRequestDetailView>;
  /** A write about a pull request that must succeed. */
  act(number: number, what: string, body?: unknown, key?: string): Promise<PullRequestDetailView>;
}

export interface LoopOptions extends Pick<FleetOptions, "entry" | "env" | "files" | "machine"> {
  /** Scripts of the agents by issue; `default` is for all others. */
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly checks?: Readonly<Record<string, unknown>>;
  readonly reactions?: Readonly<Record<string, unknown>>;
  readonly project?: Readonly<Record<string, unknown>>;
  /** How long the check takes. */
  readonly checkSeconds?: number;
}

// Red while a file of the commit says WRONG, or what its set-up makes is missing. It records its own verdict, so that the test does not depend on ao.
const CHECK = `while [ -e "$AO_DIARY/hold" ]; do sleep 0.05; done
sleep "\${CHECK_SECONDS:-0}"
found=$(grep -l WRONG *.txt)
verdict=green
[ -n "$found" ] && verdict=red
[ -e setup.sh ] && [ ! -e dep/file ] && verdict=red
printf '{"check":"%s","commit":"%s","verdict":"%s"}\\n' "$AO_CHECK" "$AO_COMMIT" "$verdict" >>"$AO_DIARY/checks.jsonl"
[ "$verdict" = green ] || { echo "WRONG is in: $found"; exit 1; }
`;

const MERGE = { auto: true, action: "merge", strategy: "squash", deleteAfter: true };

/** Creates such a fleet; the agents are rehearsals that keep a diary. */
export async function makeLoop(options: LoopOptions): Promise<LoopFleet> {
  const [scripts, tmp, hook] = [tempDir("ao-scripts-"), tempDir("ao-tmp-"), await startWebhook()];
  for (const [issue, script] of Object.entries(options.scripts)) {
    writeFileSync(join(scripts, `${issue}.yaml`), stringify(script));
  }
  const fleet = await makeFleet({
    ...(options.entry === undefined ? {} : { entry: options.entry }),
    files: { "README.md": "# sample\n", "check.sh": CHECK, ...options.files },
    agentConfig: { command: [rehearsalWithDiary, scripts] },
    project: {
      checks: options.checks ?? { test: { run: "sh check.sh" } },
      ...options.project,
    },
    machine: {
      limits: { parallelAgents: 12 },
      reactions: { "approved-and-green": MERGE, ...options.reactions },
      notifiers: { hook: { plugin: "webhook", url: hook.url } },
      defaults: { notifiers: ["hook"] },
      ...options.machine,
    },
    projectEnv: { CHECK_SECONDS: String(options.checkSeconds ?? 0) },
    env: { TMPDIR: tmp, ...options.env },
  });
  writeFileSync(join(fleet.repo, ".git/info/exclude"), "/.ao/\n", { flag: "a" });
  return withLoop(fleet, hook, tmp);
}

function withLoop(fleet: Fleet, hook: Webhook, tmp: string): LoopFleet {
  const path = (number: number, what = ""): string => `/api/pull-requests/demo/${number}${what}`;
  const pullRequest = async (number: number): Promise<PullRequestDetailView> => {
    const { status, body } = await fleet.api<PullRequestDetailView>("GET", path(number));
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  return {
    ...fleet,
    hook,
    tmp,
    verdicts: () => readVerdicts(join(fleet.dir, "diary", "checks.jsonl")),
    holdChecks: () => {
      const file = join(fleet.dir, "diary", "hold");
      writeFileSync(file, "");
      return () => rmSync(file);
    },
    open: async (env) => {
      await fleet.start(env);
      const { status, body } = await fleet.write("POST", "/api/projects", { path: fleet.repo }, "project");
      expect(status, JSON.stringify(body)).toBeLessThan(300);
    },
    begin: async (issue, title) => {
      writeIssue(fleet.repo, issue, title);
      const { status, body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { issue }, `new/${issue}`);
      expect(status, JSON.stringify(body)).toBe(201);
      return body;
    },
    isClosed: (issue) => /^state: closed$/m.test(readFileSync(fileOf(fleet.repo, issue), "utf8")),
    pullRequests: async () => {
      const { body } = await fleet.api<{ data: readonly PullRequestView[] }>("GET", "/api/pull-requests?state=all");
      return body.data;
    },
    pullRequest,
    reach: (number, what, isReached) => reachChange(() => pullRequest(number), `#${number} to be ${what}`, isReached),
    act: async (number, what, body, key) => {
      const answer = await fleet.write<PullRequestDetailView>("POST", path(number, `/${what}`), body ?? {}, key);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body;
    },
  };
}

async function reachChange(
  look: () => Promise<PullRequestDetailView>,
  what: string,
  isReached: (pr: PullRequestDetailView) => boolean,
): Promise<PullRequestDetailView> {
  let last: PullRequestDetailView | null = null;
  return until(
    what,
    async () => {
      last = await look();
      return isReached(last) ? last : false;
    },
    25_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${JSON.stringify(last, null, 1)}`);
  });
}

function readVerdicts(file: string): readonly Verdict[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Verdict);
}

function fileOf(repo: string, issue: string): string {
  return join(repo, ".ao/issues", `${issue}-task.md`);
}

function writeIssue(repo: string, issue: string, title: string): void {
  mkdirSync(join(repo, ".ao/issues"), { recursive: true });
  writeFileSync(fileOf(repo, issue), `---\ntitle: ${JSON.stringify(title)}\nstate: open\n---\n\nDo it.\n`);
}

/** The messages that an agent got after its task and confirmed, each once, in order of arrival. */
export function toldTo(fleet: Fleet, sessionId: string): readonly DiaryEntry[] {
  const receipts = fleet.receipts(sessionId);
  const told = new Map<string, DiaryEntry>();
  for (const entry of fleet.diary(sessionId)) {
    if (entry.event === "task" || !isDelivery(entry) || !isConfirmed(entry, receipts)) continue;
    if (!told.has(entry.id ?? "")) told.set(entry.id ?? "", entry);
  }
  return [...told.values()];
}
