import type { TranscriptItem } from "../../../../../src/protocol/views/transcript.ts";
import { formatSpan } from "../../../lib/time.ts";

type ItemOf<K extends TranscriptItem["kind"]> = Extract<TranscriptItem, { readonly kind: K }>;

/** The kind of a tool, by the names that agents give their tools. */
export type ToolVerb = "read" | "edit" | "run" | "other";

export interface ToolCall {
  readonly id: string;
  readonly at: string | null;
  readonly verb: ToolVerb;
  /** The tool and its subject, on one line. */
  readonly line: string;
  readonly input: string | null;
  readonly result: ItemOf<"result"> | null;
}

const VERBS: readonly (readonly [ToolVerb, RegExp])[] = [
  ["edit", /edit|write|patch|create|notebook|replace/i],
  ["run", /bash|shell|exec|command|terminal|^run/i],
  ["read", /read|view|open|glob|grep|search|list|^ls$|^cat$|find|fetch/i],
];

export function toToolCall(tool: ItemOf<"tool">, result: ItemOf<"result"> | null): ToolCall {
  const verb = VERBS.find(([, names]) => names.test(tool.name))?.[0] ?? "other";
  return { id: tool.id, at: tool.at, verb, line: describeTool(tool, verb), input: tool.input, result };
}

// A command speaks for itself; otherwise the tool's name comes first, once.
function describeTool({ name, title }: ItemOf<"tool">, verb: ToolVerb): string {
  const word = name.toLowerCase();
  return verb === "run" || title.toLowerCase().startsWith(word) ? title : `${word} ${title}`;
}

/** The result of a call, for the right end of its line; null parts are unknown. */
export interface Outcome {
  readonly isBad: boolean;
  /** "exit 1", "failed", "running"; null: it succeeded without further details. */
  readonly word: string | null;
  readonly took: string | null;
  readonly lines: { readonly added: number; readonly removed: number } | null;
}

export function outcomeOf({ verb, at, input, result }: ToolCall): Outcome {
  const lines = verb === "edit" ? countEdits(input ?? "") : null;
  if (result === null) return { isBad: false, word: null, took: null, lines };
  const ms = at === null || result.at === null ? null : Date.parse(result.at) - Date.parse(at);
  return {
    isBad: !result.ok,
    word: describeEnd(verb, result),
    took: verb === "run" && ms !== null && ms >= 1000 ? formatSpan(ms) : null,
    lines,
  };
}

function describeEnd(verb: ToolVerb, { ok, text }: ItemOf<"result">): string | null {
  const code = /\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d{1,3})\b/i.exec(text.slice(-2000))?.[1];
  if (!ok) return code === undefined ? "failed" : `exit ${code}`;
  return verb === "run" ? `exit ${code ?? 0}` : null;
}

/** Lines that a unified diff adds and removes; null: the text is not a diff. */
export function countEdits(text: string): Outcome["lines"] {
  const added = text.match(/^\+(?!\+\+ ).*$/gm)?.length ?? 0;
  const removed = text.match(/^-(?!-- ).*$/gm)?.length ?? 0;
  return /^@@ /m.test(text) || /^\+\+\+ /m.test(text) ? { added, removed } : null;
}
