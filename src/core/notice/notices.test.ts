import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  beginStory,
  eventsOf,
  MINUTE,
  perform,
  restart,
  type Story,
  submit,
} from "../../../test/support/story.ts";
import { aCheckRule, aPolicy, aRule } from "../../testing/change-builders.ts";
import type { NoticePriority } from "./notice.ts";
import { evolveNotices, initialNotices, type Notices } from "./state.ts";

const two = { unit: aCheckRule(), lint: aCheckRule() };

/** Both checks fail, and people are notified at once. */
function twoTroubles(priority: NoticePriority, routing: readonly string[] = ["desk"]): Story {
  const reactions = { "ci-failed": aRule({ action: "notify", retries: 0, priority }) };
  const story = beginStory(aPolicy({ checks: two, reactions }), routing);
  story.check = () => "failed";
  agentTurn(story, "red1");
  return story;
}

describe("notices", () => {
  it("that are urgent are sent at once, each alone", () => {
    const story = twoTroubles("urgent");
    expect(story.notified.map(({ ids }) => ids.length)).toEqual([1, 1]);
  });

  it.each(["action", "warning", "info"] as const)("of priority %s are collected for five minutes", (priority) => {
    const story = twoTroubles(priority);
    expect(story.notified).toEqual([]);
    advance(story, 5 * MINUTE);
    expect(story.notified.map(({ ids }) => ids.length)).toEqual([2]);
    advance(story, 60 * MINUTE);
    expect(story.notified).toHaveLength(1);
  });

  it("go to every listed notifier, and to nobody if none is listed", () => {
    const story = twoTroubles("urgent", ["desk", "phone"]);
    expect(story.notified.map(({ notifier }) => notifier).sort()).toEqual(["desk", "desk", "phone", "phone"]);
    const silent = twoTroubles("urgent", []);
    expect(silent.notified).toEqual([]);
    expect(silent.world.view.fleet().notices.waiting).toEqual([]);
    expect(eventsOf(silent, "problem.escalated")).toHaveLength(2);
  });

  it("that failed wait as long as the notifier asks, even across a restart", () => {
    const story = twoTroubles("info");
    let tries = 0;
    const busy = {
      kind: "failed",
      code: "plugin-failed",
      message: "busy",
      hint: null,
      retryAfterMs: 10 * MINUTE,
    } as const;
    story.notifying = () => {
      tries += 1;
      return tries === 1 ? busy : { kind: "notified" };
    };
    advance(story, 5 * MINUTE);
    restart(story);
    advance(story, 9 * MINUTE);
    expect(tries).toBe(1);
    advance(story, 2 * MINUTE);
    expect(tries).toBe(2);
  });

  it("that failed are retried, and eventually given up", () => {
    const story = twoTroubles("info");
    let tries = 0;
    story.notifying = () => {
      tries += 1;
      return { kind: "failed", code: "plugin-failed", message: "no answer", hint: null };
    };
    advance(story, 60 * MINUTE);
    expect(tries).toBe(4);
    expect(story.world.view.fleet().notices).toMatchObject({ waiting: [], deliveries: {}, sending: {} });
  });

  it("that cannot be sent as configured are not retried", () => {
    const story = twoTroubles("info");
    let tries = 0;
    story.notifying = () => {
      tries += 1;
      return { kind: "failed", code: "config-invalid", message: "no url", hint: null };
    };
    advance(story, 60 * MINUTE);
    expect(tries).toBe(1);
  });

  it("that are waiting are sent by the next daemon", () => {
    const story = twoTroubles("info");
    restart(story, 10 * MINUTE);
    expect(story.notified.map(({ ids }) => ids.length)).toEqual([2]);
  });

  it("are sent while paused: people want to know", () => {
    const story = twoTroubles("info");
    submit(story, { type: "fleet.pause", projectId: null });
    perform(story);
    advance(story, 5 * MINUTE);
    expect(story.notified).toHaveLength(1);
  });
});

describe("waiting notices", () => {
  const routing = { urgent: ["desk"], action: ["desk"], warning: [], info: [] };
  const raised = (id: string, priority: NoticePriority = "urgent") =>
    ({
      type: "notice.raised",
      id,
      priority,
      key: "k",
      title: id,
      text: "",
      projectId: null,
      sessionId: null,
      act: null,
    }) as const;
  const start: Notices = { ...initialNotices(), routing };

  it("are not kept if there is no recipient", () => {
    expect(evolveNotices(start, raised("a", "info"), 1).waiting).toEqual([]);
  });

  it("are the same one when raised again", () => {
    const one = evolveNotices(start, raised("a"), 1);
    expect(evolveNotices(one, raised("a"), 2)).toBe(one);
  });

  it("are dropped when sent, and the notifier is free again", () => {
    const one = evolveNotices(start, raised("a"), 1);
    const sending = evolveNotices(one, { type: "notice.sending", notifier: "desk", ids: ["a"] }, 2);
    expect(Object.keys(sending.sending)).toEqual(["desk"]);
    const sent = evolveNotices(sending, { type: "notice.sent", notifier: "desk", ids: ["a"] }, 3);
    expect(sent).toEqual(start);
  });

  it("are bounded: the oldest are dropped first", () => {
    let notices = start;
    for (let n = 0; n < 250; n += 1) notices = evolveNotices(notices, raised(`n${n}`), n);
    expect(notices.waiting).toHaveLength(200);
    expect(notices.waiting[0]?.id).toBe("n50");
  });
});
