import { describe, expect, it } from "vitest";
import type { NoticeFacts } from "./notice.ts";
import { type Deliveries, type Delivery, GROUP_MS, type PlanInput, planNotices } from "./plan.ts";

const NOW = 1_000_000_000;
const ROUTING = { urgent: ["pager", "desk"], action: ["desk"], warning: ["desk"], info: [] };

function aNotice(id: string, priority: NoticeFacts["priority"], ageMs = 0): NoticeFacts {
  return { id, priority, at: NOW - ageMs };
}

function plan(notices: readonly NoticeFacts[], change: Partial<PlanInput> = {}): ReturnType<typeof planNotices> {
  return planNotices({ notices, routing: ROUTING, deliveries: {}, inFlight: new Set(), now: NOW, ...change });
}

function atDesk(entries: Readonly<Record<string, Delivery>>): Deliveries {
  return Object.fromEntries(Object.entries(entries).map(([id, delivery]) => [id, { desk: delivery }]));
}

function failed(tries: number, agoMs: number, retryAfterMs?: number): Delivery {
  return { state: "failed", tries, at: NOW - agoMs, retryAfterMs };
}

describe("planNotices", () => {
  it("sends an urgent notice at once to everyone who gets urgent ones", () => {
    expect(plan([aNotice("u", "urgent")])).toEqual({
      sends: [
        { notifier: "pager", ids: ["u"], attempt: 1 },
        { notifier: "desk", ids: ["u"], attempt: 1 },
      ],
      wakeAt: null,
    });
  });

  it("sends urgent notices one at a time, oldest first", () => {
    const { sends } = plan([aNotice("u2", "urgent"), aNotice("u1", "urgent", 5)]);
    expect(sends.map(({ ids }) => ids)).toEqual([["u1"], ["u1"]]);
  });

  it("collects the others until five minutes after the oldest", () => {
    const notices = [aNotice("b", "warning", 1000), aNotice("a", "action", GROUP_MS - 1)];
    expect(plan(notices)).toEqual({ sends: [], wakeAt: NOW + 1 });
    expect(plan(notices, { now: NOW + 1 })).toEqual({
      sends: [{ notifier: "desk", ids: ["a", "b"], attempt: 1 }],
      wakeAt: null,
    });
  });

  it("puts at most twenty into one message, oldest first", () => {
    const notices = Array.from({ length: 30 }, (_, index) => aNotice(`n${index}`, "action", GROUP_MS + index));
    const [send] = plan(notices).sends;
    expect(send?.ids).toHaveLength(20);
    expect(send?.ids[0]).toBe("n29");
    expect(send?.ids).not.toContain("n0");
  });

  it("counts the five minutes from the oldest remaining one, after a full message", () => {
    const notices = [aNotice("old", "action", GROUP_MS), aNotice("new", "action", 1000)];
    const deliveries = atDesk({ old: { state: "sent" } });
    expect(plan(notices, { deliveries })).toEqual({ sends: [], wakeAt: NOW - 1000 + GROUP_MS });
  });

  it("sends an urgent notice before a full group", () => {
    const { sends } = plan([aNotice("a", "action", GROUP_MS), aNotice("u", "urgent")]);
    expect(sends.find(({ notifier }) => notifier === "desk")?.ids).toEqual(["u"]);
  });

  it("has nothing to do for a priority without recipients", () => {
    expect(plan([aNotice("i", "info", GROUP_MS)])).toEqual({ sends: [], wakeAt: null });
  });

  it("sends nothing to a busy notifier, and does not wake up for it", () => {
    const inFlight = new Set(["desk"]);
    const { sends, wakeAt } = plan([aNotice("u", "urgent"), aNotice("a", "action")], { inFlight });
    expect(sends.map(({ notifier }) => notifier)).toEqual(["pager"]);
    expect(wakeAt).toBeNull();
  });

  it.each([
    [1, 1_000],
    [2, 10_000],
    [3, 60_000],
  ])("retries after failure %i, %i ms later", (tries, pause) => {
    const notices = [aNotice("a", "action", GROUP_MS * 2)];
    expect(plan(notices, { deliveries: atDesk({ a: failed(tries, pause - 1) }) })).toEqual({
      sends: [],
      wakeAt: NOW + 1,
    });
    expect(plan(notices, { deliveries: atDesk({ a: failed(tries, pause) }) }).sends).toEqual([
      { notifier: "desk", ids: ["a"], attempt: tries + 1 },
    ]);
  });

  it.each<[string, Delivery]>([
    ["was sent", { state: "sent" }],
    ["was given up", { state: "gave-up" }],
    ["failed four times", failed(4, GROUP_MS)],
  ])("ignores what %s", (_name, delivery) => {
    const deliveries = atDesk({ a: delivery });
    expect(plan([aNotice("a", "action", GROUP_MS)], { deliveries })).toEqual({ sends: [], wakeAt: null });
  });

  it("resends together what failed together, and nothing else with it", () => {
    const notices = [
      ...["a", "b", "c"].map((id) => aNotice(id, "action", GROUP_MS * 2)),
      aNotice("d", "action", GROUP_MS),
    ];
    const deliveries = atDesk({ a: failed(1, 5000), b: failed(2, 90_000), c: failed(1, 5000) });
    const sent: Delivery = { state: "sent" };
    const first = plan(notices, { deliveries });
    const second = plan(notices, { deliveries: { ...deliveries, ...atDesk({ b: sent }) } });
    const third = plan(notices, { deliveries: atDesk({ a: sent, b: sent, c: sent }) });
    expect([first, second, third].map(({ sends }) => sends)).toEqual([
      [{ notifier: "desk", ids: ["b"], attempt: 3 }],
      [{ notifier: "desk", ids: ["a", "c"], attempt: 2 }],
      [{ notifier: "desk", ids: ["d"], attempt: 1 }],
    ]);
  });

  it("sends a notifier that asked for a pause nothing before it is over, and others their share", () => {
    const notices = [aNotice("a", "action", GROUP_MS), aNotice("u", "urgent")];
    const deliveries = atDesk({ a: failed(1, 20_000, 30_000) });
    expect(plan(notices, { deliveries })).toEqual({
      sends: [{ notifier: "pager", ids: ["u"], attempt: 1 }],
      wakeAt: NOW + 10_000,
    });
  });

  it("waits for the longer one if a pause is shorter than its own", () => {
    const deliveries = atDesk({ a: failed(2, 0, 500) });
    expect(plan([aNotice("a", "action", GROUP_MS)], { deliveries }).wakeAt).toBe(NOW + 10_000);
  });

  it("does not wait for a clock that was set back", () => {
    expect(plan([aNotice("a", "action", -86_400_000)]).sends).toHaveLength(1);
    const deliveries = atDesk({ a: failed(1, -86_400_000, 60_000) });
    expect(plan([aNotice("a", "action")], { deliveries }).sends).toHaveLength(1);
  });

  it("accepts a notifier or a notice named like a built-in property", () => {
    const routing = { ...ROUTING, action: ["constructor"] };
    expect(plan([aNotice("toString", "action", GROUP_MS)], { routing }).sends).toEqual([
      { notifier: "constructor", ids: ["toString"], attempt: 1 },
    ]);
  });
});
