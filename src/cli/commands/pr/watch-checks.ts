import type { CheckView, PullRequestDetailView } from "../../../protocol/views/pull-request.ts";
import { pathOf } from "../../args/find-pull-request.ts";
import type { Client } from "../../client/client.ts";
import { write } from "../../views/print.ts";
import { describeCheck } from "../../views/pull-request-view.ts";
import type { Style } from "../../views/style.ts";
import { cut } from "../../views/text-width.ts";
import { visibleLine, visibleOutput } from "../../views/visible.ts";
import { createLiveBlock, pause } from "../../views/watch.ts";

const POLL_MS = 500;
const LOG_LINES = 10;
const KEPT_LINES = 200;

/** Have all checks of the pull request ended, or will they never run? */
export function areChecksOver(pull: Pick<PullRequestDetailView, "phase" | "checks">): boolean {
  return pull.phase !== "open" || pull.checks.every(({ state }) => state !== "running" && state !== "queued");
}

/** Did every required check pass? */
export function didChecksPass(checks: readonly CheckView[]): boolean {
  return checks.every(({ required, state }) => !required || state === "passed");
}

/** The checks of a pull request, one line each. */
export function renderChecks(
  pull: Pick<PullRequestDetailView, "key" | "checks">,
  style: Style,
  now: number,
): readonly string[] {
  return pull.checks.map((check) => describeCheck(check, { key: pull.key, style, now }));
}

/** Follows the checks of a pull request until all have ended or the signal comes; returns the final pull request. */
export async function watchChecks(
  client: Client,
  first: PullRequestDetailView,
  options: { readonly style: Style; readonly isQuiet: boolean; readonly signal: AbortSignal },
): Promise<PullRequestDetailView> {
  const { style, isQuiet, signal } = options;
  const params = pathOf(first);
  const follow = createFollower(client, params);
  const show = isQuiet ? () => undefined : process.stdout.isTTY ? createBlock(style) : createLines(style);
  for (;;) {
    const pull = await client.call("GET /api/pull-requests/:project/:number", { params });
    const isOver = areChecksOver(pull);
    show(pull, isQuiet ? [] : await follow(pull.checks), isOver);
    if (isOver || signal.aborted) return pull;
    await pause(POLL_MS, signal);
  }
}

/** New log lines of checks that are running or have just ended. */
interface News {
  readonly check: string;
  /** From another attempt than the lines before. */
  readonly isNew: boolean;
  readonly lines: readonly string[];
}

type Follow = (checks: readonly CheckView[]) => Promise<readonly News[]>;

function createFollower(client: Client, params: ReturnType<typeof pathOf>): Follow {
  const known = new Map<string, { readonly run: string; readonly cursor: number | null; readonly isOver: boolean }>();
  return async (checks) => {
    const news: News[] = [];
    for (const check of checks) {
      const run = `${check.head} ${check.attempt}`;
      const before = known.get(check.name);
      const same = before?.run === run ? before : undefined;
      if (check.state === "queued" || same?.isOver === true || (same === undefined && check.state !== "running"))
        continue;
      const part = await client.call("GET /api/pull-requests/:project/:number/checks/:check/log", {
        params: { ...params, check: check.name },
        input: same?.cursor == null ? {} : { cursor: same.cursor },
      });
      known.set(check.name, { run, cursor: part.cursor, isOver: check.state !== "running" });
      const lines = part.log === "" ? [] : part.log.replace(/\n$/, "").split("\n");
      if (lines.length > 0 || same === undefined) news.push({ check: check.name, isNew: same === undefined, lines });
    }
    return news;
  };
}

type Show = (pull: PullRequestDetailView, news: readonly News[], isOver: boolean) => void;

// On a terminal: the checks in place, and below them the end of the running check's log.
function createBlock(style: Style): Show {
  const block = createLiveBlock(process.stdout);
  const logs = new Map<string, readonly string[]>();
  return (pull, news, isOver) => {
    const columns = process.stdout.columns || 80;
    for (const { check, isNew, lines } of news) {
      logs.set(check, [...(isNew ? [] : (logs.get(check) ?? [])), ...lines].slice(-KEPT_LINES));
    }
    const running = pull.checks.find(({ state }) => state === "running");
    const log = running === undefined || isOver ? [] : (logs.get(running.name) ?? []);
    const room = Math.max(0, Math.min(LOG_LINES, (process.stdout.rows || 24) - pull.checks.length - 3));
    block([
      ...renderChecks(pull, style, Date.now()),
      ...(log.length === 0 || room === 0 ? [] : ["", style.dim(`log of ${visibleLine(running?.name ?? "")}`)]),
      ...(room === 0
        ? []
        : log
            .slice(-room)
            .map((line) => style.dim(cut(`  ${visibleOutput(line).replaceAll("\t", "    ")}`, columns - 1)))),
    ]);
  };
}

// In a pipe: a line per change, and each log line once; a check's result comes after its log.
function createLines(style: Style): Show {
  const said = new Map<string, string>();
  return (pull, news) => {
    for (const check of pull.checks) {
      const name = visibleLine(check.name);
      const state = check.phase === "set-up" ? `${check.state} (set-up)` : check.state;
      const line = said.get(check.name) === state ? "" : `${style.bold(name)}: ${state}\n`;
      said.set(check.name, state);
      const lines = news.find((one) => one.check === check.name)?.lines ?? [];
      const log = lines.map((text) => `${name} | ${text}\n`).join("");
      write(process.stdout, check.state === "running" ? `${line}${log}` : `${log}${line}`);
    }
  };
}
