import { stateOf } from "./state-of.ts";

/** A labeled moment on a session's strip. */
export interface StripLabel {
  readonly at: number;
  readonly text: string;
  readonly tone: "" | "bad" | "you" | "good";
}

/** What the labels are derived from. */
interface Facts {
  readonly createdAt: string;
  readonly status: string;
  readonly state: string;
  readonly attention: { readonly kind: string; readonly since: string } | null;
  readonly pullRequests: readonly { readonly number: number; readonly openedAt: string }[];
  readonly problems: readonly {
    readonly key: string;
    readonly text: string;
    readonly since: string;
    readonly attempts: number;
    readonly attemptsAllowed: number | null;
  }[];
}

/** The moments of a session that are worth a label, oldest first. */
export function labelsOf(session: Facts): readonly StripLabel[] {
  const { createdAt, attention, pullRequests, problems } = session;
  const label = (at: string, text: string, tone: StripLabel["tone"] = ""): StripLabel => ({
    at: Date.parse(at),
    text: text.replaceAll("`", ""),
    tone,
  });
  const labeled = problems.filter(({ key }) => key !== "agent-needs-input" && key !== attention?.kind);
  return [
    label(createdAt, "task"),
    ...pullRequests.map(({ number, openedAt }) => label(openedAt, `#${number} opened`)),
    ...labeled.map((problem) => label(problem.since, describeProblem(problem), "bad")),
    ...(attention === null ? [] : [label(attention.since, stateOf(session).label.toLowerCase(), "you")]),
  ].sort((a, b) => a.at - b.at);
}

function describeProblem({ text, attempts, attemptsAllowed }: Facts["problems"][number]): string {
  if (attempts === 0) return text;
  return attemptsAllowed === null
    ? `${text}, sent to agent`
    : `${text}, sent to agent (${attempts} of ${attemptsAllowed})`;
}

export interface PlacedLabel extends StripLabel {
  readonly x: number;
  /** It ends at its moment instead of starting there. */
  readonly isBefore: boolean;
}

/** Approximate character width, in pixels. */
const LETTER = 6;
const GAP = 8;

/** Places labels on a strip without overlap; of two that would overlap, the later one is shown. */
export function placeLabels(
  labels: readonly StripLabel[],
  frame: { readonly from: number; readonly to: number; readonly width: number },
): readonly PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  let left = frame.width;
  for (const label of labels.toReversed()) {
    const x = Math.max(0, ((label.at - frame.from) / (frame.to - frame.from)) * frame.width);
    const width = label.text.length * LETTER;
    const isBefore = x + width > left;
    const [start, end] = isBefore ? [x - width, x] : [x, x + width];
    if (start < 0 || end > left) continue;
    placed.push({ ...label, x, isBefore });
    left = start - GAP;
  }
  return placed.reverse();
}
