import type { UsedReport } from "./cost/usage.ts";
import type { PartlyAsked } from "./question.ts";
import type { RateWindow } from "./rate-window.ts";
import type { StoredText } from "./text.ts";

/** A question as an agent asks it; `about` is its kind. */
export type AskedSignal<Text> = { readonly kind: "asked"; readonly id: string } & Omit<PartlyAsked<Text>, "kind"> & {
    readonly about?: PartlyAsked<Text>["kind"];
  };

/** Why a vendor accepts no requests: too many were made, or its service fails. */
export type LimitCause = "limit" | "outage";

/** The meaning of one line of an agent's output, beyond plain output. */
export type AgentSignal =
  | { readonly kind: "status"; readonly state: "working" | "idle" | "waiting"; readonly note: string | null }
  | AskedSignal<string>
  /** It no longer wants the answer: a person answered at the keyboard, or the turn continued without it. */
  | { readonly kind: "unasked"; readonly id: string }
  /** A message that the agent has but has not started on, and why. */
  | { readonly kind: "held"; readonly id: string; readonly reason: string }
  /** The vendor accepts no requests for a while; null: unknown how long. */
  | {
      readonly kind: "limited";
      readonly until: number | null;
      readonly reason: string;
      /** absent: a limit. */
      readonly cause?: "outage";
    }
  /** The turn ended without its work being done. */
  | { readonly kind: "errored"; readonly reason: string }
  /** The agent's own name for its conversation; `resumes`: a later process can continue it. */
  | { readonly kind: "conversation"; readonly id: string; readonly resumes?: true }
  /** The sandbox blocked this host. */
  | { readonly kind: "refused"; readonly host: string }
  /** The sandbox kept this path read-only. */
  | { readonly kind: "read-only"; readonly path: string }
  | ({ readonly kind: "usage" } & UsedReport)
  /** How much of the vendor's rate-limit windows is used. */
  | { readonly kind: "windows"; readonly windows: readonly RateWindow[] }
  | { readonly kind: "received"; readonly id: string }
  | { readonly kind: "done"; readonly summary: string };

/** A signal that becomes an event, unlike what is only true at the moment. */
export type FactSignal = Exclude<AgentSignal, { readonly kind: "windows" }>;

/** A signal whose long texts are in the store, so that events stay small. */
export type StoredSignal = Exclude<FactSignal, { readonly kind: "asked" }> | AskedSignal<StoredText>;
