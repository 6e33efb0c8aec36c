import type { NoticeFacts, NoticePriority } from "./notice.ts";
import { type Deliveries, type Delivery, MAX_TRIES } from "./plan.ts";

/** A notice with its full text. */
export interface StoredNotice extends NoticeFacts {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly projectId: string | null;
  readonly sessionId: string | null;
  readonly act: string | null;
}

/** Notices that still have to be sent. */
export interface Notices {
  readonly routing: Readonly<Record<NoticePriority, readonly string[]>>;
  readonly waiting: readonly StoredNotice[];
  readonly deliveries: Deliveries;
  /** Notifiers with a pending message. */
  readonly sending: Readonly<Record<string, readonly string[]>>;
}

export type NoticeEvent =
  | ({ readonly type: "notice.raised" } & Omit<StoredNotice, "at">)
  /** What they are about is resolved; nobody heard of it yet. */
  | { readonly type: "notice.withdrawn"; readonly ids: readonly string[]; readonly reason: string }
  | { readonly type: "notice.sending"; readonly notifier: string; readonly ids: readonly string[] }
  | { readonly type: "notice.sent"; readonly notifier: string; readonly ids: readonly string[] }
  | {
      readonly type: "notice.failed";
      readonly notifier: string;
      readonly ids: readonly string[];
      readonly reason: string;
      /** false: it would fail again in the same way. */
      readonly again: boolean;
      /** The notifier asked for this pause; absent: it did not. */
      readonly retryAfterMs?: number;
    };

/** More than this many wait only if nobody can be reached; then the oldest are dropped, and the inbox has them all. */
const MAX_WAITING = 200;

/** No notifier is configured, so nobody is notified. */
export function initialNotices(): Notices {
  return { routing: { urgent: [], action: [], warning: [], info: [] }, waiting: [], deliveries: {}, sending: {} };
}

/** Applies one event; drops a notice that everyone has received, or that has no recipient. */
export function evolveNotices(notices: Notices, event: NoticeEvent, at: number): Notices {
  switch (event.type) {
    case "notice.raised": {
      const { type: _, ...facts } = event;
      if (notices.waiting.some(({ id }) => id === event.id)) return notices;
      return forget({ ...notices, waiting: [...notices.waiting, { ...facts, at }].slice(-MAX_WAITING) });
    }
    case "notice.withdrawn":
      return forget({ ...notices, waiting: notices.waiting.filter(({ id }) => !event.ids.includes(id)) });
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
    const delivered = notices.deliveries[notice.id] ?? {};
    return notices.routing[notice.priority].some(
      (notifier) => !isOver(Object.hasOwn(delivered, notifier) ? delivered[notifier] : undefined),
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
