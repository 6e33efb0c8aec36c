import { html } from "hono/html";
import { writeOutHidden } from "../../core/hidden-characters.ts";
import { descriptionOf } from "../../core/question.ts";
import type { QuestionView } from "../../protocol/views/question.ts";
import type { Html } from "./layout.ts";

/** A question with every line of what it is about, its choices, and the command that answers it. */
export function renderQuestion(sessionId: string, question: QuestionView): Html {
  const { detail, choices } = question;
  return html`<p class="text"><strong>${writeOutHidden(question.question)}</strong></p>
${detail === null ? "" : html`<pre tabindex="0">${writeOutHidden(detail.text)}</pre>`}
${choices.length === 0 ? "" : html`<ol>${choices.map((choice) => renderChoice(question, choice))}</ol>`}
${question.freeText ? html`<p class="quiet">${describeFreeText(question)}</p>` : ""}
<p><code>ao answer ${sessionId}</code></p>`;
}

function renderChoice(question: QuestionView, choice: string): Html {
  const described = descriptionOf(question, choice);
  const about = described === null ? "" : html` <span class="quiet text">${writeOutHidden(described)}</span>`;
  return html`<li>${writeOutHidden(choice)}${about}</li>`;
}

function describeFreeText({ kind, choices }: QuestionView): string {
  if (choices.length === 0) return "Answer in your own words.";
  return kind === "permission"
    ? "Any other text denies it, and the agent reads why."
    : "Any other text is an answer too.";
}
