import type { NoticeFacts, NoticePriority } from "./notice.ts";

/** How long non-urgent notices are collected, from the oldest waiting one. */
export const GROUP_MS = 5 * 60_000;
/** Maximum notices per message. */
export const MAX_PER_MESSAGE = 20;
/** Pauses after the first, second and third failure. */
export const RETRY_MS: readonly number[] = [1_000, 10_000, 60_000];
/** After this many failures a notice is given up. */
export const MAX_TRIES = RETRY_MS.length + 1;

/** The state of one notice at one notifier. `failed` may be retried; what may not is `gave-up`. */
export type Delivery =
  | { readonly state: "sent" }
  | FailedDelivery
  /** Also after MAX_TRIES failures. */
  | { readonly state: "gave-up" };

interface FailedDelivery {
  readonly state: "failed";
  readonly tries: number;
  readonly at: number;
  /** The notifier asked for this pause: it gets nothing before. */
  readonly retryAfterMs?: number | undefined;
}

/** By notice, then by notifier; absent until the first attempt has ended. */
export type Deliveries = Readonly<Record<string, Readonly<Record<string, Delivery>>>>;

export interface PlanInput {
  readonly notices: readonly NoticeFacts[];
  /** The notifiers for each priority. */
  readonly routing: Readonly<Record<NoticePriority, readonly string[]>>;
  readonly deliveries: Deliveries;
  /** Notifiers with a pending send. */
  readonly inFlight: ReadonlySet<string>;
  readonly now: number;
}

/** One message to one notifier. */
export interface PlannedSend {
  readonly notifier: string;
  readonly ids: readonly string[];
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** What to send now, at most one message per notifier, and when to plan again unless a send ends earlier. */
export interface NoticePlan {
  readonly sends: readonly PlannedSend[];
  readonly wakeAt: number | null;
}

interface Waiting {
  readonly notice: NoticeFacts;
  readonly failed: FailedDelivery | null;
}

interface Batch {
  readonly members: readonly Waiting[];
  readonly isUrgent: boolean;
  readonly due: number;
}

/**
 * Plans messages from notices: urgent ones at once and alone, the others together. A failed message is repeated
 * unchanged, so that a receiver can recognize it by its ids. Plan again at `wakeAt`, after every send, and for every
 * new notice; a busy notifier adds nothing to `wakeAt`, because the end of its send is the next trigger.
 */
export function planNotices(input: PlanInput): NoticePlan {
  const sends: PlannedSend[] = [];
  let wakeAt: number | null = null;
  const notifiers = new Set(input.notices.flatMap((notice) => input.routing[notice.priority]));
  for (const notifier of notifiers) {
    if (input.inFlight.has(notifier)) continue;
    const next = chooseNext(formBatches(listWaiting(notifier, input), input.now), input.now);
    if (next === null) continue;
    if (next.due > input.now) wakeAt = Math.min(wakeAt ?? next.due, next.due);
    else sends.push(toSend(notifier, next));
  }
  return { sends, wakeAt };
}

function listWaiting(notifier: string, { notices, routing, deliveries }: PlanInput): readonly Waiting[] {
  const waiting: Waiting[] = [];
  for (const notice of notices) {
    if (!routing[notice.priority].includes(notifier)) continue;
    const delivery = findDelivery(deliveries, notice.id, notifier);
    if (delivery === null) waiting.push({ notice, failed: null });
    else if (delivery.state === "failed" && delivery.tries < MAX_TRIES) waiting.push({ notice, failed: delivery });
  }
  return waiting.sort((a, b) => a.notice.at - b.notice.at || (a.notice.id < b.notice.id ? -1 : 1));
}

// Ids and names can be anything, even "constructor": only own keys count.
function findDelivery(deliveries: Deliveries, id: string, notifier: string): Delivery | null {
  const byNotifier = Object.hasOwn(deliveries, id) ? deliveries[id] : undefined;
  if (byNotifier === undefined || !Object.hasOwn(byNotifier, notifier)) return null;
  return byNotifier[notifier] ?? null;
}

function formBatches(waiting: readonly Waiting[], now: number): readonly Batch[] {
  const groups = new Map<string, Waiting[]>();
  let pausedUntil = Number.NEGATIVE_INFINITY;
  for (const one of waiting) {
    const members = groups.get(groupOf(one));
    if (members === undefined) groups.set(groupOf(one), [one]);
    else if (members.length < MAX_PER_MESSAGE) members.push(one);
    const pause = one.failed?.retryAfterMs;
    if (one.failed !== null && pause !== undefined)
      pausedUntil = Math.max(pausedUntil, after(one.failed.at, pause, now));
  }
  return [...groups.values()].map((members) => ({
    members,
    isUrgent: isUrgent(members[0]),
    due: Math.max(dueOf(members[0], now), pausedUntil),
  }));
}

function groupOf(waiting: Waiting): string {
  if (isUrgent(waiting)) return `alone ${waiting.notice.id}`;
  // Notices sent together failed at the same moment.
  return waiting.failed === null ? "fresh" : `failed ${waiting.failed.tries} ${waiting.failed.at}`;
}

function isUrgent(waiting: Waiting | undefined): boolean {
  return waiting?.notice.priority === "urgent";
}

/** When a batch is due; its oldest member decides. */
function dueOf(oldest: Waiting | undefined, now: number): number {
  if (oldest === undefined) return now;
  const { notice, failed } = oldest;
  if (failed !== null) return after(failed.at, RETRY_MS[failed.tries - 1] ?? 0, now);
  return after(notice.at, isUrgent(oldest) ? 0 : GROUP_MS, now);
}

// A time in the future means that the clock was set back: do not wait for it.
function after(at: number, ms: number, now: number): number {
  return at > now ? now : at + ms;
}

function chooseNext(batches: readonly Batch[], now: number): Batch | null {
  const ready = batches.filter(({ due }) => due <= now);
  return ready.find((batch) => batch.isUrgent) ?? earliest(ready) ?? earliest(batches);
}

function earliest(batches: readonly Batch[]): Batch | null {
  return batches.reduce<Batch | null>((best, batch) => (best === null || batch.due < best.due ? batch : best), null);
}

function toSend(notifier: string, { members }: Batch): PlannedSend {
  const tries = members[0]?.failed?.tries ?? 0;
  return { notifier, ids: members.map(({ notice }) => notice.id), attempt: tries + 1 };
}
