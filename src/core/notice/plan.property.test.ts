import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NoticeFacts, NoticePriority } from "./notice.ts";
import { type Delivery, GROUP_MS, MAX_PER_MESSAGE, MAX_TRIES, type PlanInput, planNotices, RETRY_MS } from "./plan.ts";

const PRIORITIES: readonly NoticePriority[] = ["urgent", "action", "warning", "info"];
const NOTIFIERS = ["desk", "hook", "pager"];
const START = 1_000_000;

const arbitraryRouting = fc.record({
  urgent: fc.uniqueArray(fc.constantFrom(...NOTIFIERS)),
  action: fc.uniqueArray(fc.constantFrom(...NOTIFIERS)),
  warning: fc.uniqueArray(fc.constantFrom(...NOTIFIERS)),
  info: fc.uniqueArray(fc.constantFrom(...NOTIFIERS)),
});

function arbitraryNotices(spanMs: number): fc.Arbitrary<NoticeFacts[]> {
  const facts = fc.record({ priority: fc.constantFrom(...PRIORITIES), at: fc.nat(spanMs) });
  return fc
    .array(facts, { maxLength: 60 })
    .map((list) => list.map(({ priority, at }, index) => ({ id: `n${index}`, priority, at: START + at })));
}

const arbitraryDelivery: fc.Arbitrary<Delivery | null> = fc.oneof(
  fc.constant(null),
  fc.constant<Delivery>({ state: "sent" }),
  fc.constant<Delivery>({ state: "gave-up" }),
  fc.record({
    state: fc.constant("failed" as const),
    tries: fc.integer({ min: 1, max: MAX_TRIES + 1 }),
    at: fc.integer({ min: START, max: START + 400_000 }),
    retryAfterMs: fc.option(fc.nat(120_000), { nil: undefined }),
  }),
);

const arbitraryInput: fc.Arbitrary<PlanInput> = fc
  .record({
    notices: arbitraryNotices(400_000),
    routing: arbitraryRouting,
    outcomes: fc.array(arbitraryDelivery, { minLength: 180, maxLength: 180 }),
    inFlight: fc.uniqueArray(fc.constantFrom(...NOTIFIERS)).map((names) => new Set(names)),
    now: fc.integer({ min: START, max: START + 800_000 }),
  })
  .map(({ outcomes, ...rest }) => ({ ...rest, deliveries: deliveriesFrom(rest.notices, outcomes) }));

function deliveriesFrom(
  notices: readonly NoticeFacts[],
  outcomes: readonly (Delivery | null)[],
): Record<string, Record<string, Delivery>> {
  const deliveries: Record<string, Record<string, Delivery>> = {};
  for (const [row, { id }] of notices.entries()) {
    for (const [column, notifier] of NOTIFIERS.entries()) {
      const outcome = outcomes[row * NOTIFIERS.length + column] ?? null;
      if (outcome !== null) deliveries[id] = { ...deliveries[id], [notifier]: outcome };
    }
  }
  return deliveries;
}

function isOver(delivery: Delivery | undefined): boolean {
  return delivery !== undefined && (delivery.state !== "failed" || delivery.tries >= MAX_TRIES);
}

function openPairs({ notices, routing, deliveries }: PlanInput): readonly { notice: NoticeFacts; notifier: string }[] {
  return notices.flatMap((notice) =>
    routing[notice.priority]
      .filter((notifier) => !isOver(deliveries[notice.id]?.[notifier]))
      .map((notifier) => ({ notice, notifier })),
  );
}

describe("any plan", () => {
  it("sends only what is open, to free notifiers, one message each", () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const { sends } = planNotices(input);
        const open = new Set(openPairs(input).map(({ notice, notifier }) => `${notice.id} ${notifier}`));
        expect(new Set(sends.map(({ notifier }) => notifier)).size).toBe(sends.length);
        for (const { notifier, ids, attempt } of sends) {
          expect(input.inFlight.has(notifier)).toBe(false);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.length).toBeGreaterThan(0);
          expect(ids.length).toBeLessThanOrEqual(MAX_PER_MESSAGE);
          expect(attempt).toBeLessThanOrEqual(MAX_TRIES);
          expect(ids.filter((id) => !open.has(`${id} ${notifier}`))).toEqual([]);
          const urgent = input.notices.filter((notice) => ids.includes(notice.id) && notice.priority === "urgent");
          if (urgent.length > 0) expect(ids).toHaveLength(1);
        }
      }),
    );
  });

  it("leaves nothing open without a trigger: a send, a busy notifier, or a wake-up time", () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const { sends, wakeAt } = planNotices(input);
        const busy = new Set([...input.inFlight, ...sends.map(({ notifier }) => notifier)]);
        const left = openPairs(input).filter(({ notifier }) => !busy.has(notifier));
        expect(wakeAt === null).toBe(left.length === 0);
        if (wakeAt !== null) {
          expect(wakeAt).toBeGreaterThan(input.now);
          expect(wakeAt).toBeLessThanOrEqual(input.now + GROUP_MS);
        }
      }),
    );
  });

  it("does not depend on the order of notices", () => {
    fc.assert(
      fc.property(arbitraryInput, (input) => {
        const byName = (plan: ReturnType<typeof planNotices>): unknown => ({
          ...plan,
          sends: [...plan.sends].sort((a, b) => (a.notifier < b.notifier ? -1 : 1)),
        });
        expect(byName(planNotices({ ...input, notices: [...input.notices].reverse() }))).toEqual(
          byName(planNotices(input)),
        );
      }),
    );
  });
});

interface Attempt {
  readonly notifier: string;
  readonly ids: readonly string[];
  readonly at: number;
  readonly isSent: boolean;
}

/** Follows plans until nothing is left, as the engine does; sends take time, and some of them fail. */
function play(notices: readonly NoticeFacts[], routing: PlanInput["routing"], outcomes: readonly boolean[]): Attempt[] {
  const attempts: Attempt[] = [];
  const deliveries: Record<string, Record<string, Delivery>> = {};
  const ends = new Map<string, { readonly at: number; readonly attempt: Attempt; readonly tries: number }>();
  let now = START;
  for (let steps = 0; steps < 5000; steps += 1) {
    const known = notices.filter(({ at }) => at <= now);
    const { sends, wakeAt } = planNotices({ notices: known, routing, deliveries, inFlight: new Set(ends.keys()), now });
    for (const { notifier, ids, attempt } of sends) {
      const isSent = outcomes[attempts.length % outcomes.length] ?? true;
      attempts.push({ notifier, ids, at: now, isSent });
      ends.set(notifier, { at: now + 300, attempt: { notifier, ids, at: now, isSent }, tries: attempt });
    }
    const arrivals = notices.filter(({ at }) => at > now).map(({ at }) => at);
    const next = Math.min(...arrivals, ...[...ends.values()].map(({ at }) => at), wakeAt ?? Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) return attempts;
    now = next;
    for (const [notifier, end] of ends) {
      if (end.at > now) continue;
      ends.delete(notifier);
      const outcome: Delivery = end.attempt.isSent ? { state: "sent" } : { state: "failed", tries: end.tries, at: now };
      for (const id of end.attempt.ids) deliveries[id] = { ...deliveries[id], [notifier]: outcome };
    }
  }
  throw new Error("The plans never end.");
}

describe("plans followed to their end", () => {
  const arbitraryRun = fc.tuple(
    arbitraryNotices(3 * GROUP_MS),
    arbitraryRouting,
    fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
  );

  it("send everything once, or give it up after four attempts", () => {
    fc.assert(
      fc.property(arbitraryRun, ([notices, routing, outcomes]) => {
        const attempts = play(notices, routing, outcomes);
        for (const notice of notices) {
          for (const notifier of NOTIFIERS) {
            const mine = attempts.filter((one) => one.notifier === notifier && one.ids.includes(notice.id));
            if (!routing[notice.priority].includes(notifier)) expect(mine).toEqual([]);
            else if (mine.at(-1)?.isSent !== true) expect(mine).toHaveLength(MAX_TRIES);
            expect(mine.slice(0, -1).filter(({ isSent }) => isSent)).toEqual([]);
          }
        }
      }),
    );
  });

  it("repeat a failed message with the same notices, at least after the pause", () => {
    fc.assert(
      fc.property(arbitraryRun, ([notices, routing, outcomes]) => {
        const attempts = play(notices, routing, outcomes);
        const tries = new Map<string, Attempt[]>();
        for (const attempt of attempts) {
          const name = `${attempt.notifier} ${attempt.ids.join()}`;
          tries.set(name, [...(tries.get(name) ?? []), attempt]);
        }
        // Every notice is in one message per notifier, however often that is tried.
        expect([...tries.values()].flatMap(([first]) => first?.ids.map((id) => `${first.notifier} ${id}`))).toEqual([
          ...new Set(attempts.flatMap(({ notifier, ids }) => ids.map((id) => `${notifier} ${id}`))),
        ]);
        for (const list of tries.values()) {
          for (const [index, attempt] of list.slice(1).entries()) {
            expect(attempt.at - (list[index]?.at ?? 0)).toBeGreaterThanOrEqual(RETRY_MS[index] ?? 0);
          }
        }
      }),
    );
  });

  it("hold no notice longer than five minutes plus the time the notifier was busy", () => {
    fc.assert(
      fc.property(arbitraryNotices(3 * GROUP_MS), arbitraryRouting, (notices, routing) => {
        for (const attempt of play(notices, routing, [true])) {
          for (const notice of notices.filter(({ id }) => attempt.ids.includes(id))) {
            const limit = (notice.priority === "urgent" ? 0 : GROUP_MS) + notices.length * 300;
            expect(attempt.at - notice.at).toBeLessThanOrEqual(limit);
          }
        }
      }),
    );
  });
});
