import { expect, it } from "vitest";
import { completeAsked } from "../../core/question.ts";
import { renderQuestion } from "./question.ts";

it("a question on the page has its lines, its choices and no hidden characters", async () => {
  const detail = { format: "command", text: "cat <<EOF\n\tone <b>\n\u001b[2Jtwo\u202e\nEOF" } as const;
  const descriptions = { always: "npm test, for this session" };
  const asked = completeAsked<string>({
    kind: "permission",
    question: "It wants to run:",
    detail,
    choices: ["once", "always"],
  });
  const page = String(await renderQuestion("app-1", { id: "q", ...asked, descriptions, freeText: true }));
  expect(page).toContain('<pre tabindex="0">cat &lt;&lt;EOF\n\tone &lt;b&gt;\n\\x1b[2Jtwo\\u202e\nEOF</pre>');
  expect(page).toContain('<li>once</li><li>always <span class="quiet text">npm test, for this session</span></li>');
  expect(page).toContain("Any other text denies it");
  expect(page).toContain("<code>ao answer app-1</code>");
});
