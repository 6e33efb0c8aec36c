import type { TurnEnd, Usage } from "../../../driver.ts";
import type { ChildEnd } from "../../../kit/child.ts";
import { andThen, type ReportCall, type Step, step } from "../../../kit/reducer.ts";
import { readFailure } from "../../../kit/turn-end.ts";
import type { Output } from "../dialect.ts";

const NAMES = { name: "Aider", login: "Set the key of the model's vendor (ANTHROPIC_API_KEY, OPENAI_API_KEY, ...)." };

/** Lines about the program itself, which come first. */
const BANNER =
  /^(Detected dumb terminal|Aider v|(Main |Weak |Editor )?[Mm]odel: |Git repo: |Repo-map: |Restored previous )/;
const DEED =
  /^(Applied edit to |Commit [0-9a-f]{7,40} |Committing |Added .+ to the chat|Skipping edits to |Did not apply |Running |## Running: |The LLM did not conform |Only \d+ reflections )/;
const RETRY = /^Retrying in ([\d.]+) seconds/;
const ERROR = /^litellm\.\w+: /;

/** The output of one Aider turn so far. */
export interface AiderOutput {
  /** The model has answered, so no banner can follow. */
  readonly hasBegun: boolean;
  readonly model: string | null;
  /** Lines since the last answer. */
  readonly words: readonly string[];
  readonly answer: string;
  readonly lastDeed: string;
  readonly failure: string | null;
  readonly paragraph: Paragraph;
}

/** Lines that belong together: up to an empty one, and everything between fences. */
interface Paragraph {
  readonly lines: readonly string[];
  readonly isFenced: boolean;
}

type AiderStep = Step<AiderOutput>;

const NO_PARAGRAPH: Paragraph = { lines: [], isFenced: false };
const NOTHING: AiderOutput = {
  ...{ hasBegun: false, model: null, words: [], answer: "", lastDeed: "", failure: null },
  paragraph: NO_PARAGRAPH,
};

/**
 * Aider's output is for people: its own lines are recognized by how they start, the others are the model's. Exit code 0
 * means nothing, because a failed request also ends with it.
 */
export const aiderOutput: Output<AiderOutput> = {
  begin: () => NOTHING,
  line: onLine,
  exit: (state, end, now) => {
    const { reports } = endParagraph(state);
    return [...reports, ["ended", readEnd(state, end, now)]];
  },
};

function onLine(before: AiderOutput, text: string, now: Date): AiderStep {
  const usage = readUsage(text, before.model);
  if (usage !== null) return onUsage(before, usage);
  const retry = RETRY.exec(text);
  if (retry !== null) return step(before, [describeRetry(before.failure, Number(retry[1]), now)]);
  const state = ERROR.test(text) ? { ...before, failure: text } : before;
  if (DEED.test(text)) return onDeed(state, text);
  if (!state.hasBegun && BANNER.test(text)) return step({ ...state, model: state.model ?? readModel(text) });
  return addLine({ ...state, words: [...state.words, text] }, text);
}

function onUsage(before: AiderOutput, usage: Usage): AiderStep {
  return andThen(endParagraph(before), (state) => {
    const isAnswer = usage.outputTokens + usage.inputTokens > 0;
    const answered = { ...state, answer: summarize(state.words), words: [], failure: null, hasBegun: true };
    return step(isAnswer ? answered : state, [["used", usage]]);
  });
}

function onDeed(before: AiderOutput, text: string): AiderStep {
  return andThen(endParagraph(before), (state) =>
    step({ ...state, lastDeed: text }, [
      ["noted", text],
      ["working", text],
    ]),
  );
}

function addLine(state: AiderOutput, line: string): AiderStep {
  const { lines, isFenced } = state.paragraph;
  const isInFence = line.startsWith("```") ? !isFenced : isFenced;
  if (line.trim() === "" && !isInFence) return endParagraph(state);
  return step({ ...state, paragraph: { lines: [...lines, line], isFenced: isInFence } });
}

function endParagraph(state: AiderOutput): AiderStep {
  const { lines } = state.paragraph;
  const hasWords = lines.some((line) => line.trim() !== "");
  return step({ ...state, paragraph: NO_PARAGRAPH }, hasWords ? [["said", lines.join("\n")]] : []);
}

function describeRetry(failure: string | null, seconds: number, now: Date): ReportCall {
  const note = `${failure ?? "The model service did not answer"}; the next try is in ${seconds} s.`;
  if (!/RateLimit|\b429\b/.test(failure ?? "")) return ["working", note];
  return ["limited", new Date(now.getTime() + seconds * 1000), note];
}

function readEnd(
  { failure, answer, lastDeed, words }: AiderOutput,
  { code, how, stderr }: ChildEnd,
  now: Date,
): TurnEnd {
  const last = stderr.split("\n").at(-1) || words.findLast((line) => line.trim() !== "") || how;
  const reason = failure ?? (code === 0 ? null : last);
  if (reason !== null) return readFailure(reason, NAMES, now);
  return { kind: "finished", summary: answer || lastDeed || summarize(words) };
}

// The answer contains edits between fences; Aider also prints a line for each, which is reported instead.
function summarize(words: readonly string[]): string {
  let isFenced = false;
  const kept = words.filter((line) => {
    const isFence = line.startsWith("```");
    if (isFence) isFenced = !isFenced;
    return !isFence && !isFenced;
  });
  return kept
    .join("\n")
    .trim()
    .replace(/\n{2,}/g, "\n");
}

/**
 * The usage since the last such line: `Tokens: 1.2k sent, 3.4k cache hit, 50 received. Cost: $0.01 message, $0.02
 * session.` The sent tokens include the cached ones. The cost may be missing, or on its own line.
 */
export function readUsage(line: string, model: string | null): Usage | null {
  if (!/^(Tokens: .* received\.|Cost: \$)/.test(line)) return null;
  return {
    inputTokens: readCount(line, "sent"),
    cachedTokens: readCount(line, "cache hit"),
    outputTokens: readCount(line, "received"),
    costUsd: Number(/\bCost: \$([\d.]+) message\b/.exec(line)?.[1] ?? 0),
    model,
  };
}

/** The model in `Main model: NAME with diff edit format`. */
export function readModel(line: string): string | null {
  return /^(?:Main model|Model): (\S+) with .+ edit format/.exec(line)?.[1] ?? null;
}

// The program rounds: 950, 1.2k, 12k.
function readCount(line: string, kind: string): number {
  const [, count = "0", unit] = new RegExp(`([\\d.,]+)(k?) ${kind}\\b`).exec(line) ?? [];
  return Math.round(Number(count.replaceAll(",", "")) * (unit === "k" ? 1000 : 1));
}
