import type { Turn } from "./model-api.ts";

/** What the model does in one answer. */
export type Step = { readonly hold: string | null } & (
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: unknown }
  | { readonly kind: "error"; readonly status: number }
);

const DIRECTIVE = /\[\[(run|say|tool|error|hold):\s*([\s\S]*?)\]\]/g;

/**
 * The step for a call: the newest text with a script in it, and in it the step after those that the model has answered.
 * Nothing is kept between calls, so an agent may be killed and resumed at any moment. A text without a script, such as
 * "continue", continues the last one.
 */
export function readSteps(turns: readonly Turn[]): Step {
  const at = turns.findLastIndex(({ by, text }) => by === "user" && parseScript(text).length > 0);
  if (at < 0) return { kind: "say", text: "There is nothing to do.", hold: null };
  const steps = parseScript(turns[at]?.text ?? "");
  const done = turns.slice(at + 1).filter(({ by }) => by === "model").length;
  return steps[done] ?? { kind: "say", text: "Done.", hold: null };
}

/** `[[run: CMD]] [[say: TEXT]] [[tool: Name {json}]] [[error: 429]]`, each after any number of `[[hold: name]]`. */
function parseScript(text: string): readonly Step[] {
  const steps: Step[] = [];
  let hold: string | null = null;
  for (const [, kind, value = ""] of text.matchAll(DIRECTIVE)) {
    if (kind === "hold") {
      hold = value.trim();
      continue;
    }
    if (kind === "run") steps.push({ kind, command: value, hold });
    else if (kind === "say") steps.push({ kind, text: value, hold });
    else if (kind === "error") steps.push({ kind, status: Number(value), hold });
    else {
      const [, name = "", input = "{}"] = /^(\S+)\s*([\s\S]*)$/.exec(value) ?? [];
      steps.push({ kind: "tool", name, input: JSON.parse(input), hold });
    }
    hold = null;
  }
  return steps;
}
