import { note } from "../views/print.ts";

/** Is there a person to ask? Scripts, pipes and CI get an error that names the command instead. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && (process.env["CI"] ?? "") === "";
}

/** Asks a person yes or no; Enter means yes. Without a terminal the answer is no. */
export async function agrees(question: string): Promise<boolean> {
  if (!canAsk()) return false;
  const answer = await readLine(`${question} [Y/n] `);
  return answer !== null && /^(?:|y|yes)$/i.test(answer.trim());
}

/** Asks for a consent that nobody gives by accident: only a written yes counts. Without a terminal the answer is no. */
export async function consents(question: string): Promise<boolean> {
  if (!canAsk()) return false;
  const answer = await readLine(`${question} [y/N] `);
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}

/** Asks a person to choose from a list, again after a wrong answer; null: they left with Ctrl+C or Ctrl+D. */
export async function chooseFrom(question: string, choices: readonly string[]): Promise<string | null> {
  note(question);
  for (const [index, choice] of choices.entries()) note(`  ${index + 1}. ${choice}`);
  while (true) {
    const answer = await readLine(`1-${choices.length} [1] `);
    if (answer === null) return null;
    const chosen = pick(answer.trim(), choices);
    if (chosen !== null) return chosen;
  }
}

function pick(answer: string, choices: readonly string[]): string | null {
  if (answer === "") return choices[0] ?? null;
  return choices.find((choice, index) => choice === answer || String(index + 1) === answer) ?? null;
}

async function readLine(prompt: string): Promise<string | null> {
  const typed = await readTyped(prompt);
  return typeof typed === "string" ? null : typed.line;
}

/** What a person did at a prompt: wrote a line, pressed Ctrl+C, or ended the input with Ctrl+D. */
export type Typed = { readonly line: string } | "interrupted" | "ended";

/** Reads a line. Prompts on stderr, so that stdout stays free for the command's output. */
export async function readTyped(prompt: string): Promise<Typed> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    const leave = (how: "interrupted" | "ended"): void => {
      note("");
      resolve(how);
    };
    const ended = (): void => leave("ended");
    lines.once("close", ended);
    lines.once("SIGINT", () => {
      lines.off("close", ended);
      leave("interrupted");
      lines.close();
    });
    lines.question(prompt, (line) => {
      lines.off("close", ended);
      resolve({ line });
      lines.close();
    });
  });
}
