import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../event.ts";
import { enter, MAX_SEGMENTS, type Segment, within } from "./segment.ts";
import { evolveTrack, NO_TRACK, type Track } from "./track.ts";

const S = 1000;
const requested = { type: "session.requested" } as AnyEvent;
const received: AnyEvent = { type: "message.accepted", id: "m", by: "received" };
const finished: AnyEvent = { type: "agent.finished", summary: "" };
const working: AnyEvent = { type: "agent.reported", state: "working", note: null };
const limited: AnyEvent = { type: "agent.limited", until: null, reason: "" };
const asked: AnyEvent = { type: "agent.asked", id: "q", run: 1, question: "?", choices: [] };
const answered: AnyEvent = { type: "agent.answered", questionId: "q", choice: "", messageId: "a" };
const stuck: AnyEvent = { type: "problem.seen", id: "agent-stuck", key: "agent-stuck", occurrence: "", text: "" };
const unstuck: AnyEvent = { type: "problem.gone", id: "agent-stuck", reason: "" };
const check = (name: string): AnyEvent => ({ type: "check.started", name, head: "h", attempt: 1 });
const ended = (name: string, state: "passed" | "failed"): AnyEvent => ({
  ...{ type: "check.finished", name, head: "h", attempt: 1, state, code: 0, log: null, fingerprint: "", tookMs: 1 },
});
const merged: AnyEvent = { type: "change.merged", commit: "c", baseBefore: "b", head: "h" };

/** The track after these events, ten seconds apart. */
function trackOf(...events: readonly AnyEvent[]): Track {
  return events.reduce((track, event, index) => evolveTrack(track, event, index * 10 * S), NO_TRACK);
}

const show = <K>(segments: readonly Segment<K>[]): string =>
  segments.map(({ kind, from, to }) => `${kind} ${from / S}-${to === null ? "" : to / S}`).join(", ");

describe("the agent's lane", () => {
  it.each<[string, readonly AnyEvent[], string]>([
    ["waits in the queue, then works", [requested, { type: "session.admitted" }, received], "queued 0-10, working 10-"],
    ["asks and continues", [received, asked, answered], "working 0-10, question 10-20, working 20-"],
    ["is idle after its turn", [received, finished], "working 0-10, idle 10-"],
    ["is rate limited", [received, limited, working], "working 0-10, rate-limited 10-20, working 20-"],
    ["is silent", [received, stuck, unstuck], "working 0-10, no-signal 10-20, working 20-"],
    ["ends", [received, { type: "session.stopped" }], "working 0-10"],
    ["is one segment while nothing changes", [received, working, working], "working 0-"],
    ["ignores other events", [received, { type: "agent.output-seen" }], "working 0-"],
  ])("%s", (_name, events, expected) => {
    expect(show(trackOf(...events).agent)).toBe(expected);
  });

  it("waits for a person once its agent is idle and all checks pass", () => {
    const track = trackOf(received, finished, check("unit"), ended("unit", "passed"));
    expect(show(track.agent)).toBe("working 0-10, idle 10-30, review 30-");
  });
});

describe("the lane of checks", () => {
  it.each<[string, readonly AnyEvent[], string]>([
    ["is failing as soon as one is", [check("a"), check("b"), ended("a", "failed")], "running 0-20, failing 20-"],
    [
      "passes when all do",
      [check("a"), check("b"), ended("a", "passed"), ended("b", "passed")],
      "running 0-30, passing 30-",
    ],
    [
      "starts over with a commit",
      [check("a"), ended("a", "failed"), { type: "change.updated", head: "i" }, check("a")],
      "running 0-10, failing 10-20, running 30-",
    ],
    ["ends with the merge", [check("a"), ended("a", "passed"), merged], "running 0-10, passing 10-20"],
  ])("%s", (_name, events, expected) => {
    expect(show(trackOf(...events).checks.segments)).toBe(expected);
  });

  it("records when it was merged", () => {
    expect(trackOf(check("a"), merged).mergedAt).toBe(10 * S);
  });
});

describe("segments", () => {
  it("omit what lasted less than a second", () => {
    const first = enter(enter<string>([], "a", 0), "b", 5 * S);
    expect(show(enter(first, "a", 5 * S + 10))).toBe("a 0-");
  });

  it("are bounded", () => {
    let segments: readonly Segment<number>[] = [];
    for (let n = 0; n < 200; n += 1) segments = enter(segments, n, n * 10 * S);
    expect(segments).toHaveLength(MAX_SEGMENTS);
    expect(segments.at(-1)?.kind).toBe(199);
  });

  it("of a window start with it", () => {
    const all = enter(enter<string>([], "a", 0), "b", 10 * S);
    expect(show(within(all, 4 * S))).toBe("a 4-10, b 10-");
    expect(show(within(all, 12 * S))).toBe("b 12-");
  });
});
