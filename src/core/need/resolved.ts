import type { AnyEvent } from "../event.ts";
import { summarizeQuestion } from "../question.ts";

/** A need that was shown to a person and is over. */
export interface ResolvedNeed {
  readonly kind: string;
  readonly text: string;
  /** When it was shown to a person. */
  readonly at: number;
  readonly resolvedAt: number;
  /** Who resolved it, according to the log; null: the agent, `ao`, or it cleared by itself. */
  readonly by: string | null;
  readonly how: string;
}

interface OpenNeed {
  readonly kind: string;
  readonly text: string;
  /** null: not shown to anyone yet. */
  readonly at: number | null;
}

/** What needs a person in one stream, and who acted there last. */
export interface NeedTrack {
  readonly problems: Readonly<Record<string, OpenNeed>>;
  readonly question: OpenNeed | null;
  readonly actor: { readonly name: string; readonly at: number } | null;
}

export const NO_NEEDS: NeedTrack = { problems: {}, question: null, actor: null };

/** The needs of a stream after an event, and the one that it resolved. A dismissed need is not resolved. */
export function followNeeds(
  track: NeedTrack,
  event: AnyEvent,
  at: number,
): { readonly track: NeedTrack; readonly resolved: ResolvedNeed | null } {
  switch (event.type) {
    case "problem.seen":
      return open(track, event.id, { kind: event.key, text: event.text, at: track.problems[event.id]?.at ?? null });
    case "problem.escalated":
      return tell(track, event.id, at);
    case "problem.acknowledged":
      return { track: without(track, event.id), resolved: null };
    case "problem.gone":
      return {
        track: without(track, event.id),
        resolved: resolve(track, track.problems[event.id], { at, how: event.reason }),
      };
    case "agent.asked":
      return {
        track: { ...track, question: { kind: event.kind ?? "question", text: summarizeQuestion(event), at } },
        resolved: null,
      };
    case "agent.answered":
      return closeQuestion(track, at, `answered “${event.choice}”`);
    case "question.withdrawn":
      return closeQuestion(track, at, "withdrawn by the agent");
    case "review.given":
      return act(track, event.author, at);
    case "merge.requested":
    case "thread.resolved":
    case "change.closed":
      return act(track, event.by, at);
    case "session.stopped":
      return { track: NO_NEEDS, resolved: null };
    default:
      return { track, resolved: null };
  }
}

function open(track: NeedTrack, id: string, need: OpenNeed): ReturnType<typeof followNeeds> {
  return { track: { ...track, problems: { ...track.problems, [id]: need } }, resolved: null };
}

// The question itself is the need; the problem of waiting for its answer is the same.
function tell(track: NeedTrack, id: string, at: number): ReturnType<typeof followNeeds> {
  const need = track.problems[id];
  const isCovered = need?.kind === "agent-needs-input" && track.question !== null;
  if (need === undefined || need.at !== null || isCovered) return { track, resolved: null };
  return open(track, id, { ...need, at });
}

function without(track: NeedTrack, id: string): NeedTrack {
  const { [id]: _, ...problems } = track.problems;
  return { ...track, problems };
}

function closeQuestion(track: NeedTrack, at: number, how: string): ReturnType<typeof followNeeds> {
  return { track: { ...track, question: null }, resolved: resolve(track, track.question, { at, how }) };
}

function act(track: NeedTrack, name: string, at: number): ReturnType<typeof followNeeds> {
  return { track: { ...track, actor: { name, at } }, resolved: null };
}

function resolve(
  { actor }: NeedTrack,
  need: OpenNeed | null | undefined,
  end: { readonly at: number; readonly how: string },
): ResolvedNeed | null {
  if (need == null || need.at === null) return null;
  const by = actor !== null && actor.at >= need.at ? actor.name : null;
  return { kind: need.kind, text: need.text, at: need.at, resolvedAt: end.at, by, how: end.how };
}
