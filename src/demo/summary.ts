import { type DemoView, pullRequestOf } from "./demo-view.ts";
import { isGone } from "./progress.ts";
import { type ChangeTale, countOverlap, type SessionTale, type Tale } from "./tale.ts";

/** How the demo ended, as rows for a table and sentences. */
export interface Summary {
  readonly merged: number;
  /** The header, then one row per task. */
  readonly rows: readonly (readonly string[])[];
  /** `7 merged in 41 s, ...`. */
  readonly sentence: string;
  /** What was not merged, and its state; empty if everything was. */
  readonly stuck: readonly string[];
}

const HEAD = ["TASK", "SESSION", "PR", "COMMITS", "WHAT HAPPENED"];

/** Summarizes what happened. */
export function summarize(view: DemoView, tale: Tale, tookMs: number): Summary {
  const rows = view.sessions.map((session) => {
    const change = pullRequestOf(view, session.issue);
    const history = tale.sessions[session.id];
    return [
      session.title,
      session.id,
      change === null ? "-" : `#${change.number}`,
      String(history?.commits ?? 0),
      whatHappened(history, change === null ? undefined : tale.changes[change.key]).join(", "),
    ];
  });
  const merged = view.pullRequests.filter(({ phase }) => phase === "merged").length;
  return { merged, rows: [HEAD, ...rows], sentence: sentenceOf(merged, tale, tookMs), stuck: describeStuck(view) };
}

function whatHappened(session: SessionTale | undefined, change: ChangeTale | undefined): readonly string[] {
  const words = [
    ...((session?.deaths ?? 0) > 0 ? ["agent killed, recovered"] : []),
    ...((session?.answers ?? 0) > 0 ? ["question answered"] : []),
    ...((change?.reds ?? 0) > 0 ? ["red check fixed"] : []),
    ...((change?.requests ?? 0) > 0 ? ["requested change made"] : []),
    ...((change?.conflicts ?? 0) > 0 ? ["conflict resolved"] : []),
  ];
  const isMerged = change !== undefined && change.mergedAt !== null;
  // Fixes, requested changes and conflicts count only for merged pull requests.
  if (!isMerged) return ["not merged"];
  return words.length === 0 ? ["merged first time"] : words;
}

function sentenceOf(merged: number, tale: Tale, tookMs: number): string {
  const changes = Object.values(tale.changes).filter(({ mergedAt }) => mergedAt !== null);
  const facts = [
    `${countOverlap(tale)} agents at the same time`,
    count(changes.filter(({ reds }) => reds > 0).length, "red check fixed", "red checks fixed"),
    count(changes.filter(({ requests }) => requests > 0).length, "requested change made", "requested changes made"),
    count(changes.filter(({ conflicts }) => conflicts > 0).length, "conflict resolved", "conflicts resolved"),
    count(sum(tale, "answers"), "question answered", "questions answered"),
    count(sum(tale, "deaths"), "agent recovered from a kill", "agents recovered from a kill"),
  ];
  return `${merged} merged in ${Math.round(tookMs / 1000)} s: ${facts.join(", ")}.`;
}

function sum(tale: Tale, key: "answers" | "deaths"): number {
  return Object.values(tale.sessions).reduce((total, session) => total + session[key], 0);
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function describeStuck(view: DemoView): readonly string[] {
  return view.sessions.flatMap((session) => {
    const change = pullRequestOf(view, session.issue);
    if (change?.phase === "merged" && isGone(session)) return [];
    const waits = view.inbox.filter(({ sessionId }) => sessionId === session.id).map(({ text }) => text);
    const about = change === null ? [] : [`pull request #${change.number} is ${change.status}`, ...change.blockers];
    return [`${session.id} is ${session.status}: ${[session.evidence, ...about, ...waits].join("; ")}`];
  });
}
