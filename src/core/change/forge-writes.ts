import type { AnyEvent, Emitted } from "../event.ts";
import { onChange } from "../event.ts";
import { changeStream } from "../stream.ts";
import type { ChangeState, ForgeWrite } from "./state.ts";

/** The writes to the forge for what a person or the agent just did locally; empty without a remote forge. */
export function writesOf(change: ChangeState, events: readonly Emitted[]): readonly Emitted[] {
  const { forge } = change;
  if (forge === undefined) return [];
  const own = events.map(({ event }) => event);
  const writes = [...own.flatMap((event) => toWrite(change, event) ?? []), ...labelWrite(own)];
  return onChange(
    change.key,
    ...writes.map((write, index) => {
      const id = `w${forge.written + index + 1}`;
      return { type: "change.write-queued", write: { id, ...write } as ForgeWrite } as const;
    }),
  );
}

/** Numbers the writes of one round one after another: several rules may act in it, and none knows of the others. */
export function numberWrites({ key, forge }: ChangeState, events: readonly Emitted[]): readonly Emitted[] {
  let written = forge?.written ?? 0;
  return events.map((one) => {
    const { stream, event } = one;
    if (event.type !== "change.write-queued" || stream !== changeStream(key)) return one;
    written += 1;
    return { stream, event: { ...event, write: { ...event.write, id: `w${written}` } } } as Emitted;
  });
}

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

function toWrite(change: ChangeState, event: AnyEvent): Unnumbered<ForgeWrite> | null {
  switch (event.type) {
    case "thread.replied": {
      const { threadId, commentId, author, text } = event;
      return { kind: "reply", about: threadId, threadId, commentId, author, text };
    }
    case "thread.resolved":
    case "thread.reopened": {
      const { threadId } = event;
      return { kind: "resolve", about: threadId, threadId, resolved: event.type === "thread.resolved" };
    }
    case "check.rerun-requested": {
      const ref = change.checks[event.name]?.ref;
      return ref === undefined ? null : { kind: "rerun", about: event.name, check: event.name, ref };
    }
    case "review.given": {
      // What people say with `ao review` stays local; what a rule says is for everyone.
      const [thread] = event.threads;
      if (event.author !== "ao" || thread === undefined) return null;
      return { kind: "comment", about: thread.id, commentId: thread.commentId, author: "ao", text: thread.text };
    }
    case "review.requested": {
      // People who reviewed with `ao review` are notified locally.
      const review = change.reviews.find(({ id }) => id === event.id);
      const isThere = review?.access !== undefined && review.isBot !== true;
      return isThere ? { kind: "request-review", about: `review-${event.id}`, reviewer: event.reviewer } : null;
    }
    case "change.closed":
      return { kind: "close", about: "close" };
    case "merge.cancelled":
      return change.mergeRequest?.queue === undefined ? null : { kind: "dequeue", about: "queue" };
    default:
      return null;
  }
}

function labelWrite(events: readonly AnyEvent[]): readonly Unnumbered<ForgeWrite>[] {
  const add = events.flatMap((event) => (event.type === "label.added" ? [event.label] : []));
  const remove = events.flatMap((event) => (event.type === "label.removed" ? [event.label] : []));
  return add.length + remove.length === 0 ? [] : [{ kind: "label", about: "label", add, remove }];
}
