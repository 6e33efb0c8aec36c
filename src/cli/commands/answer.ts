import { AoError } from "../../core/errors.ts";
import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { print, printJson } from "../print.ts";
import { oneLine } from "../table.ts";
import { misuse } from "../usage.ts";

export const command = defineCommand({
  name: "answer",
  summary: "answer the question that a session's agent asks",
  usage: ["[SESSION] [CHOICE] [--json]"],
  arguments: [
    SESSION_ARGUMENT,
    { name: "CHOICE", summary: "a choice or its number; without it you are asked", optional: true, text: true },
  ],
  options: { json: JSON_OPTION },
  examples: ["ao answer my-app-fix-login yes", "ao answer 42"],
  async run({ args: [id = "", given], options }) {
    const client = connect();
    const session = await client.call("GET /api/sessions/:id", { params: { id } });
    const { question } = session;
    if (question === null) {
      const hint = "`ao inbox` lists the questions.";
      throw new AoError({ code: "question-unknown", message: `${session.id} asks nothing`, hint });
    }
    const written = given ?? (await ask(question.question, question.choices));
    const choice = pickChoice(written, question.choices);
    const answer = await client.call("POST /api/sessions/:id/permission", {
      params: { id: session.id },
      input: { choice },
    });
    if (options.json === true) printJson(answer);
    else print(`answered: ${answer.choice}`);
  },
});

/** The choice that a person means: itself, or its number in the list. */
export function pickChoice(written: string, choices: readonly string[]): string {
  if (choices.includes(written)) return written;
  const same = choices.filter((choice) => choice.toLowerCase() === written.trim().toLowerCase());
  if (same.length === 1 && same[0] !== undefined) return same[0];
  return (/^\d+$/.test(written.trim()) ? choices[Number(written) - 1] : undefined) ?? written;
}

async function ask(question: string, choices: readonly string[]): Promise<string> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw misuse("there is no choice", `ao answer SESSION ${choices.map(oneLine).join(" | ") || "TEXT"}`);
  }
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    print(oneLine(question));
    for (const [index, choice] of choices.entries()) print(`  ${index + 1}. ${oneLine(choice)}`);
    return await lines.question("> ");
  } finally {
    lines.close();
  }
}
