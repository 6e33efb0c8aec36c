import { openSqliteStore } from "../../../src/platform/sqlite-store.ts";
import { git } from "../../../src/testing/git-repo.ts";

interface Told {
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the log of a demo shows, determined without any demo code. */
export interface Witness {
  /** Issues whose pull request was merged, and that are closed. */
  readonly merged: readonly string[];
  /** The maximum number of sessions with a live agent. */
  readonly overlap: number;
  /** Pull requests whose check failed, whose agent got a message, and whose check passed on a later commit. */
  readonly redFixed: readonly string[];
  readonly changeMade: readonly string[];
  readonly conflictResolved: readonly string[];
  readonly answered: readonly string[];
  /** Sessions whose agent died and was restarted. */
  readonly wentOn: readonly string[];
}

/** Reads the whole log. */
export async function bearWitness(database: string): Promise<Witness> {
  const store = openSqliteStore(database);
  try {
    const log: Told[] = [];
    for (
      let page = await store.read(0, 1000);
      page.length > 0;
      page = await store.read(page.at(-1)?.position ?? 0, 1000)
    ) {
      log.push(...page.map(({ stream, at, event }) => ({ stream, at, type: event.type, data: { ...event } })));
    }
    return judge(log);
  } finally {
    await store.close();
  }
}

function judge(log: readonly Told[]): Witness {
  const changes = streamsOf(log, "change:");
  const sessions = streamsOf(log, "session:");
  const names = (streams: ReadonlyMap<string, readonly Told[]>, holds: (own: readonly Told[]) => boolean): string[] =>
    [...streams].filter(([, own]) => holds(own)).map(([name]) => name);
  const told = (what: string, by: (event: Told) => boolean) => (own: readonly Told[]) =>
    inOrder(own, by, is("reaction.sent", "problem", new RegExp(`^${what}`)), is("change.updated"), is("change.merged"));
  return {
    merged: names(
      changes,
      (own) => inOrder(own, is("change.merged")) && inOrder(own, is("issue.settled", "closed", /true/)),
    ),
    overlap: overlapOf([...sessions.values()]),
    redFixed: names(changes, (own) =>
      inOrder(
        own,
        is("check.finished", "state", /^failed$/),
        is("reaction.sent", "problem", /^ci-failed/),
        is("change.updated"),
        is("check.finished", "state", /^passed$/),
        is("change.merged"),
      ),
    ),
    changeMade: names(changes, told("changes-requested", is("review.given", "verdict", /^request-changes$/))),
    conflictResolved: names(changes, told("merge-conflict", is("change.tried", "kind", /^conflict$/))),
    answered: names(sessions, (own) => inOrder(own, is("agent.asked"), is("agent.answered"))),
    wentOn: names(sessions, (own) => {
      const stop = own.findIndex(is("session.stop-requested"));
      return inOrder(own.slice(0, stop < 0 ? undefined : stop), is("run.ended"), is("run.started"));
    }),
  };
}

function streamsOf(log: readonly Told[], prefix: string): ReadonlyMap<string, readonly Told[]> {
  const own = log.filter(({ stream }) => stream.startsWith(prefix));
  return new Map(
    [...new Set(own.map(({ stream }) => stream))].map((name) => [
      name.slice(prefix.length),
      own.filter(({ stream }) => stream === name),
    ]),
  );
}

function is(type: string, field?: string, value = /^/): (event: Told) => boolean {
  return (event) => event.type === type && (field === undefined || value.test(String(event.data[field])));
}

function inOrder(own: readonly Told[], ...steps: readonly ((event: Told) => boolean)[]): boolean {
  let at = -1;
  return steps.every((step) => {
    at = own.findIndex((event, index) => index > at && step(event));
    return at >= 0;
  });
}

function overlapOf(sessions: readonly (readonly Told[])[]): number {
  const spans = sessions.flatMap((own) => {
    const from = own.find(is("run.started"))?.at;
    const to = own.find(is("session.stopped"))?.at ?? Number.POSITIVE_INFINITY;
    return from === undefined ? [] : [{ from, to }];
  });
  return Math.max(0, ...spans.map((one) => spans.filter(({ from, to }) => from <= one.from && one.from < to).length));
}

/** Parents of a commit. */
export function parentsOf(repo: string, commit: string): number {
  return git(repo, "log", "-1", "--format=%P", commit).trim().split(" ").length;
}
