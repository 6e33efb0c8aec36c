import { shortCommit } from "../hash.ts";
import { blockersOf, describeBlocker } from "../merge/blockers.ts";
import { describeProof } from "../merge/proof.ts";
import { lineOf } from "../reaction/template.ts";
import type { World } from "../world.ts";
import { describeQueue } from "./forge-queue.ts";
import type { ChangeState } from "./state.ts";
import { deriveChangeStatus } from "./status.ts";

/** The comment that `ao` keeps on a remote pull request. */
export interface StatusComment {
  /** Without the cost, which grows constantly: while this stays the same, there is nothing to write. */
  readonly gist: string;
  readonly text: string;
}

/**
 * The status of a pull request, for people who read it on its forge; null: it has no page there. `cost` is in words.
 */
export function describeStatus(world: World, change: ChangeState, cost: string | null): StatusComment | null {
  if (change.forge === undefined) return null;
  const rows = [
    ["State", describeState(world, change)],
    ["Waiting for", waitingFor(world, change)],
    ["Sent to the agent", describeMessages(change)],
    ["Merged because", change.merged?.proof === undefined ? null : describeProof(change.merged.proof)],
  ] as const;
  const session = change.sessionId === null ? "" : `, session \`${change.sessionId}\``;
  const gist = [
    `**ao** works on this pull request${session}. This comment is kept up to date.`,
    "",
    "| | |",
    "|---|---|",
    ...rows.flatMap(([name, value]) => (value === null ? [] : [`| ${name} | ${cell(value)} |`])),
  ].join("\n");
  return { gist, text: cost === null ? gist : `${gist}\n| Cost | ${cell(cost)} |` };
}

function describeState(world: World, change: ChangeState): string {
  const { merged, phase, sessionId } = change;
  if (merged !== null) return `merged as ${shortCommit(merged.commit)} by ${merged.by}`;
  if (phase === "closed") return "closed without a merge";
  const session = sessionId === null ? undefined : world.session(sessionId);
  if (session !== undefined && session.turn !== null) return "agent working";
  return deriveChangeStatus(world, change).status.replaceAll("-", " ");
}

function waitingFor(world: World, change: ChangeState): string | null {
  if (change.phase !== "open") return null;
  const { mergeRequest } = change;
  if (mergeRequest?.queue !== undefined) return describeQueue(mergeRequest.queue);
  const held = mergeRequest?.reason ?? null;
  const texts = (blockersOf(world, change) ?? []).map((blocker) => describeBlocker(blocker));
  return [...(held === null ? [] : [held]), ...texts].join("; ") || null;
}

function describeMessages({ problems, phase }: ChangeState): string | null {
  if (phase !== "open") return null;
  const sent = Object.values(problems).filter((problem) => problem.sent > 0);
  return sent.map(({ text, sent: times }) => `${text} (${times === 1 ? "once" : `${times} times`})`).join("; ") || null;
}

// Names of people, checks and labels must mention nobody, and must not break the table or the page.
function cell(text: string): string {
  return lineOf(text).replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("@", "@\u200b");
}
