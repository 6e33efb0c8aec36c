import type { Archive } from "../core/archive.ts";
import type { AnyEvent } from "../core/event.ts";
import type { StreamState } from "../core/evolve.ts";
import type { Intent } from "../core/intent.ts";
import type { StreamId } from "../core/stream.ts";

/** An event with its position in the one global order. */
export interface StoredEvent {
  readonly position: number;
  readonly stream: StreamId;
  readonly at: number;
  readonly event: AnyEvent;
}

export type OpenIntent = Intent & { readonly status: "pending" | "started"; readonly recordedAt: number };

/** Everything that one decision changes, written atomically. */
export interface Batch {
  readonly events: readonly { readonly stream: StreamId; readonly at: number; readonly event: AnyEvent }[];
  readonly states: readonly {
    readonly stream: StreamId;
    readonly state: StreamState;
    readonly wakeAt: number | null;
  }[];
  readonly recorded: readonly OpenIntent[];
  readonly started: readonly string[];
  readonly finished: readonly string[];
  /** Withdrawn or held: the same effect may be wanted again. */
  readonly forgotten: readonly string[];
  readonly positions: readonly { readonly source: string; readonly position: number }[];
  readonly receipts: readonly { readonly key: string; readonly result: string }[];
  /** Must it survive a power cut? True if it starts an effect, records a receipt or answers a person. */
  readonly durable: boolean;
}

/** An empty batch to build on. */
export const NO_CHANGES: Batch = {
  ...{ events: [], states: [], recorded: [], started: [], finished: [], forgotten: [], positions: [], receipts: [] },
  durable: false,
};

export interface Loaded {
  readonly states: ReadonlyMap<StreamId, StreamState>;
  readonly intents: readonly OpenIntent[];
  readonly positions: ReadonlyMap<string, number>;
  readonly lastPosition: number;
  readonly lastAt: number;
}

/** The log and the data around it. One writer. */
export interface Store {
  /** Appends in one transaction if the log is still at `expectedPosition`; returns the events with their positions. */
  append(batch: Batch, expectedPosition: number): Promise<readonly StoredEvent[]>;
  /** Everything that is live. */
  load(): Promise<Loaded>;
  /**
   * States that left the live model, by `isArchived`; the append that archives them moves them. Synchronous, for
   * decisions.
   */
  readonly archive: Archive;
  /** Events after a position, oldest first. */
  read(from: number, limit: number, stream?: StreamId): Promise<readonly StoredEvent[]>;
  /** Events of a stream before a position, newest first. */
  readBefore(before: number, limit: number, stream: StreamId): Promise<readonly StoredEvent[]>;
  /** Has this intent already finished? */
  isFinished(intentId: string): Promise<boolean>;
  /** The recorded answer to a command with this idempotency key. */
  receipt(key: string): Promise<string | null>;
  putBlob(text: string): Promise<string>;
  getBlob(hash: string): Promise<string | null>;
  close(): Promise<void>;
}
