import type { TurnEnd, Usage } from "../../../driver.ts";
import type { ChildEnd } from "../../../kit/child.ts";
import { readFailure } from "../../../kit/turn-end.ts";
import type { Listener, TurnReport } from "../dialect.ts";
import { readModel, readUsage } from "./usage.ts";

const NAMES = { name: "Aider", login: "Set the key of the model's vendor (ANTHROPIC_API_KEY, OPENAI_API_KEY, ...)." };

/** Lines about the program itself, which come first. */
const BANNER =
  /^(Detected dumb terminal|Aider v|(Main |Weak |Editor )?[Mm]odel: |Git repo: |Repo-map: |Restored previous )/;
const DEED =
  /^(Applied edit to |Commit [0-9a-f]{7,40} |Committing |Added .+ to the chat|Skipping edits to |Did not apply |Running |## Running: |The LLM did not conform |Only \d+ reflections )/;
const RETRY = /^Retrying in ([\d.]+) seconds/;
const ERROR = /^litellm\.\w+: /;

/**
 * Listens to a turn of Aider. What it prints is for people: its own lines are known by how they begin, the others are the
 * model's. An exit code of 0 says nothing, since a failed request ends with it too.
 */
export function createListener(report: TurnReport): Listener {
  let hasBegun = false;
  let model: string | null = null;
  let words: string[] = [];
  let answer = "";
  let lastDeed = "";
  let failure: string | null = null;

  const paragraph = createParagraph(report.said);

  const hearUsage = (usage: Usage): void => {
    paragraph.end();
    report.used(usage);
    if (usage.outputTokens + usage.inputTokens === 0) return;
    answer = summarize(words);
    words = [];
    failure = null;
    hasBegun = true;
  };

  const hearDeed = (text: string): void => {
    lastDeed = text;
    paragraph.end();
    report.noted(text);
    report.working(text);
  };

  return {
    line: (text) => {
      const usage = readUsage(text, model);
      const retry = RETRY.exec(text);
      if (usage !== null) return hearUsage(usage);
      if (retry !== null) return tellRetry(report, failure, Number(retry[1]));
      if (ERROR.test(text)) failure = text;
      if (DEED.test(text)) return hearDeed(text);
      if (!hasBegun && BANNER.test(text)) {
        model ??= readModel(text);
        return;
      }
      words.push(text);
      paragraph.add(text);
    },
    end: (end) => {
      paragraph.end();
      return readEnd(end, { failure, summary: answer || lastDeed, words });
    },
  };
}

/** Lines that belong together: up to an empty one, and everything between fences. */
function createParagraph(tell: (text: string) => void): { add(line: string): void; end(): void } {
  let lines: string[] = [];
  let isFenced = false;
  const end = (): void => {
    if (lines.some((line) => line.trim() !== "")) tell(lines.join("\n"));
    lines = [];
    isFenced = false;
  };
  return {
    add: (line) => {
      if (line.startsWith("```")) isFenced = !isFenced;
      if (line.trim() === "" && !isFenced) end();
      else lines.push(line);
    },
    end,
  };
}

function tellRetry(report: TurnReport, failure: string | null, seconds: number): void {
  const note = `${failure ?? "The model service did not answer"}; the next try is in ${seconds} s.`;
  if (/RateLimit|\b429\b/.test(failure ?? "")) report.limited(new Date(Date.now() + seconds * 1000), note);
  else report.working(note);
}

interface Heard {
  readonly failure: string | null;
  readonly summary: string;
  /** Since the last answer. */
  readonly words: readonly string[];
}

function readEnd({ code, how, stderr }: ChildEnd, { failure, summary, words }: Heard): TurnEnd {
  const last = stderr.split("\n").at(-1) || words.findLast((line) => line.trim() !== "") || how;
  const reason = failure ?? (code === 0 ? null : last);
  if (reason !== null) return readFailure(reason, NAMES, new Date());
  return { kind: "finished", summary: summary || summarize(words) };
}

// Edits appear in the answer between fences; Aider also prints a line for each, which is reported instead.
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
