import type { QuestionView } from "../../../src/protocol/views/question.ts";

/** Words of a choice that reaches beyond this one time. */
const WIDE = /\b(always|all|any|session|project|don.?t ask|every)\b/i;

/** The choice that Enter suggests: the first, unless it allows more than this one time. */
export function primaryChoice({ kind, choices }: Pick<QuestionView, "kind" | "choices">): string | null {
  const [first = null] = choices;
  return first !== null && kind === "permission" && WIDE.test(first) ? null : first;
}

/** The key of a choice by its position; there are nine. */
export function keyOfChoice(index: number): string | undefined {
  return index < 9 ? String(index + 1) : undefined;
}
