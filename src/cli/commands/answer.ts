import { readAnswer } from "../../core/answer.ts";
import { AoError } from "../../core/errors.ts";
import type { QuestionView } from "../../protocol/views/question.ts";
import { canAsk, readTyped } from "../args/ask.ts";
import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";
import { renderQuestion } from "../views/question-view.ts";
import { style } from "../views/style.ts";
import { visibleLine } from "../views/visible.ts";

export const command = defineCommand({
  name: "answer",
  summary: "show and answer the question of a session's agent",
  usage: ["[SESSION] [ANSWER ...] [--json]"],
  arguments: [
    SESSION_ARGUMENT,
    {
      name: "ANSWER",
      summary: "a choice, its number or the start of it, or a text; without it, ao asks you",
      optional: true,
      text: true,
      many: true,
    },
  ],
  options: { json: JSON_OPTION },
  examples: [
    "ao answer my-app-fix-login",
    "ao answer my-app-fix-login allow always",
    'ao answer 42 "no, use sed instead"',
  ],
  details:
    "Without an answer it shows the whole question and asks until there is one. Ctrl+C and Ctrl+D leave it open: the\n" +
    "exit code is 130 or 1. For a permission request, any text that is not one of the choices is a denial, and the agent\n" +
    "reads the text as the reason. With --json and no answer it prints the question.",
  async run({ args: [id = "", ...words], options }) {
    const client = connect();
    const session = await client.call("GET /api/sessions/:id", { params: { id } });
    const { question } = session;
    if (question === null) {
      const hint = "`ao inbox` lists the questions.";
      throw new AoError({ code: "question-unknown", message: `${session.id} has no open question`, hint });
    }
    if (options.json === true && words.length === 0) return printJson(question);
    const answer = words.length > 0 ? words.join(" ") : await ask(session.id, question);
    if (answer === null) return;
    // Only the shown question is answered: the agent may have asked another one since.
    const given = await client.call("POST /api/sessions/:id/permission", {
      params: { id: session.id },
      input: { choice: answer, questionId: question.id },
    });
    if (options.json === true) printJson(given);
    else print(describeAnswer(question, given.choice));
  },
});

function describeAnswer({ kind, choices }: QuestionView, answer: string): string {
  const isReason = kind === "permission" && !choices.includes(answer);
  return `${isReason ? "denied, with your reason" : "answered"}: ${visibleLine(answer)}`;
}

/** Shows the question until it is answered; null: the person left. */
async function ask(id: string, question: QuestionView): Promise<string | null> {
  const paint = style(process.stdout);
  print(renderQuestion(question, paint, process.stdout.columns).join("\n"));
  if (!canAsk()) {
    const choice = question.choices.length === 0 ? '"your answer"' : "1";
    throw misuse("choose an answer", `ao answer ${id} ${choice}`);
  }
  while (true) {
    const typed = await readTyped("> ");
    if (typeof typed === "string") {
      process.exitCode = typed === "interrupted" ? 130 : 1;
      return null;
    }
    const read = readAnswer(question, typed.line);
    if (read.kind !== "wrong") return read.answer;
    note(visibleLine(read.reason));
  }
}
