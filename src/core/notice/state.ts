import type { NoticeFacts, NoticePriority } from "./notice.ts";
import { type Deliveries, type Delivery, MAX_TRIES } from "./plan.ts";

/** A notice with all that a person is told. */
export interface StoredNotice extends NoticeFacts {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly projectId: string | null;
  readonly sessionId: string | null;
  readonly act: string | null;
}

/** Notices that are still to be told to somebody. */
export interface Notices {
  readonly routing: Readonly<Record<NoticePriority, readonly string[]>>;
  readonly waiting: readonly StoredNotice[];
  readonly deliveries: Deliveries;
  /** Notifiers with a message under way. */
  readonly sending: Readonly<Record<string, readonly string[]>>;
}

export type NoticeEvent =
  | ({ readonly type: "notice.raised" } & Omit<StoredNotice, "at">)
  | { readonly type: "notice.sending"; readonly notifier: string; readonly ids: readonly string[] }
  | { readonly type: "notice.sent"; readonly notifier: string; readonly ids: readonly string[] }
  | {
      readonly type: "notice.failed";
      readonly notifier: string;
      readonly ids: readonly string[];
      readonly reason: string;
      /** false: it would fail again in the same way. */
      readonly again: boolean;
      /** The notifier asked for this pause; absent: it did not say. */
      readonly retryAfterMs?: number;
    };

/** More than this many wait only when nobody can be reached; then the oldest go, and the inbox has them all. */
const MAX_WAITING = 200;

/** Nobody is told anything, since no notifier is named. */
export function initialNotices(): Notices {
  return { routing: { urgent: [], action: [], warning: [], info: [] }, waiting: [], deliveries: {}, sending: {} };
}

/** Applies one event; a notice that everybody has heard, or that nobody hears, is not kept. */
export function evolveNotices(notices: Notices, event: NoticeEvent, at: number): Notices {
  switch (event.type) {
    case "notice.raised": {
      const { type: _, ...facts } = event;
      if (notices.waiting.some(({ id }) => id === event.id)) return notices;
      return forget({ ...notices, waiting: [...notices.waiting, { ...facts, at }].slice(-MAX_WAITING) });
    }
    case "notice.sending":
      return { ...notices, sending: { ...notices.sending, [event.notifier]: event.ids } };
    case "notice.sent":
    case "notice.failed":
      return forget(ended(notices, event, at));
  }
}

function ended(
  notices: Notices,
  event: Extract<NoticeEvent, { readonly type: "notice.sent" | "notice.failed" }>,
  at: number,
): Notices {
  const { [event.notifier]: _, ...sending } = notices.sending;
  const deliveries: Record<string, Readonly<Record<string, Delivery>>> = { ...notices.deliveries };
  for (const id of event.ids) {
    const before = deliveries[id] ?? {};
    deliveries[id] = { ...before, [event.notifier]: deliveryOf(event, before[event.notifier], at) };
  }
  return { ...notices, sending, deliveries };
}

function deliveryOf(
  event: Extract<NoticeEvent, { readonly type: "notice.sent" | "notice.failed" }>,
  before: Delivery | undefined,
  at: number,
): Delivery {
  if (event.type === "notice.sent") return { state: "sent" };
  if (!event.again) return { state: "gave-up" };
  const tries = (before?.state === "failed" ? before.tries : 0) + 1;
  return { state: "failed", tries, at, ...(event.retryAfterMs !== undefined && { retryAfterMs: event.retryAfterMs }) };
}

function forget(notices: Notices): Notices {
  const waiting = notices.waiting.filter((notice) => {
    const told = notices.deliveries[notice.id] ?? {};
    return notices.routing[notice.priority].some(
      (notifier) => !isOver(Object.hasOwn(told, notifier) ? told[notifier] : undefined),
    );
  });
  const ids = new Set(waiting.map(({ id }) => id));
  const deliveries = Object.fromEntries(Object.entries(notices.deliveries).filter(([id]) => ids.has(id)));
  return { ...notices, waiting, deliveries };
}

function isOver(delivery: Delivery | undefined): boolean {
  if (delivery === undefined) return false;
  return delivery.state !== "failed" || delivery.tries >= MAX_TRIES;
}
