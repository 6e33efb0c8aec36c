import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { TrainView } from "../../../../src/protocol/views/train.ts";

/** A pull request in the merge train, or one that could join it. */
export interface TrainCar {
  readonly number: number;
  readonly title: string;
  readonly sessionId: string | null;
  /** `1st, checking`, `2nd`, `3rd if you merge it`, `not ready`. */
  readonly place: string;
  readonly tone: "good" | "you" | "ink-3";
  /** What it is built from, or what it waits for. */
  readonly note: string;
  /** Solid: its merge is requested. */
  readonly isAboard: boolean;
  readonly checks: readonly { readonly name: string; readonly state: string }[];
}

/** How many cars fit side by side. */
const MOST = 4;

/** The cars of a train from its head, then open pull requests that could join it. */
export function trainCars(train: TrainView, open: readonly PullRequestView[]): readonly TrainCar[] {
  const { batch, waiting } = train;
  const tried = (batch?.cars ?? []).map((car, index) => ({
    ...car,
    place: `${ordinal(index + 1)}, ${batch?.stage ?? ""}`,
    tone: "good" as const,
    note: treeOf(batch?.text ?? ""),
    isAboard: true,
    checks: index === 0 ? (batch?.checks ?? []) : [],
  }));
  const queued = waiting.map((car, index) => ({
    ...car,
    place: ordinal(tried.length + index + 1),
    tone: "ink-3" as const,
    note: car.waitsFor.join(", "),
    isAboard: true,
    checks: [],
  }));
  const aboard = [...tried, ...queued];
  const numbers = new Set(aboard.map(({ number }) => number));
  const others = open.filter(({ number }) => !numbers.has(number));
  const ready = others.filter(({ status }) => status === "mergeable").map((pull) => couldJoin(pull, aboard.length));
  const rest = others.filter(({ status }) => status !== "mergeable").map(notReady);
  return [...aboard, ...ready, ...rest].slice(0, MOST);
}

function couldJoin({ number, title, sessionId, evidence }: PullRequestView, aboard: number): TrainCar {
  const place = `${ordinal(aboard + 1)} if you merge it`;
  return { number, title, sessionId, place, tone: "you", note: evidence, isAboard: false, checks: [] };
}

function notReady({ number, title, sessionId, evidence }: PullRequestView): TrainCar {
  return { number, title, sessionId, place: "not ready", tone: "ink-3", note: evidence, isAboard: false, checks: [] };
}

// `checking a91f04c = main 8c1f02a + #228`, without its first word.
function treeOf(text: string): string {
  return text.slice(text.indexOf(" ") + 1);
}

function ordinal(place: number): string {
  const endings: Readonly<Record<number, string>> = { 1: "st", 2: "nd", 3: "rd" };
  return `${place}${endings[place] ?? "th"}`;
}
