import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { reach } from "../e2e/survival/session.ts";
import { until } from "../support/until.ts";
import { LIMIT, stage, strike } from "./support/session.ts";
import type { SessionAgent } from "./support/session-agents.ts";

/** An agent, and the script by which it changes a file and commits. */
interface Actor extends SessionAgent {
  write(file: string, text: string): string;
}

function program(name: string): Pick<SessionAgent, "command" | "process"> {
  const path = fileURLToPath(new URL(`../fixtures/bin/${name}`, import.meta.url));
  return { command: [path], process: path };
}

const AIDER: Actor = {
  plugin: "aider",
  title: "a stand-in for Aider",
  ...program("aider.mjs"),
  free: { permissions: "edits" },
  environment: (_, model) => ({ MODEL_URL: model.url, OPENAI_API_KEY: "sk-test" }),
  usage: "calls",
  write: (file, text) => `[[tool: edit {"path": "${file}.txt", "text": "${text}"}]]`,
};
const CURSOR: Actor = {
  plugin: "cursor",
  title: "a stand-in for Cursor",
  ...program("cursor-agent.mjs"),
  free: { permissions: "all" },
  environment: (_, model) => ({ MODEL_URL: model.url, CURSOR_API_KEY: "key-test" }),
  usage: "turns",
  write: (file, text) => `[[run: echo '${text}' > ${file}.txt && git add -A && git commit -q -m ${file}]]`,
};

describe.each([AIDER, CURSOR])("a session with $title", (agent) => {
  it("dies, resumes, opens a pull request, fixes a red check, and is merged", async () => {
    const files = {
      "sum.txt": "0\n",
      // The check's output reaches the agent, and here it also scripts the model.
      "fix.txt": `The sum is wrong. ${agent.write("sum", "a + b")} [[say: Fixed.]]\n`,
      // Green on main, so that its failure is the agent's own.
      "check.sh": 'grep -qE "^0|a \\+ b" sum.txt || { cat fix.txt; exit 1; }\n',
    };
    const scene = await stage(agent, { files, project: { checks: { unit: { run: "sh check.sh" } } } });
    const { fleet, model } = scene;
    const prompt = `Do it. ${agent.write("note", "n")} [[hold: h]] ${agent.write("sum", "a - b")} [[say: A sum.]]`;
    const id = await scene.begin("sum", prompt);
    await scene.held("h");
    await strike(scene.programs);
    await scene.heldAgain("h");
    model.release("h");
    const green = await reach(fleet, id, "green", ({ status }) => status === "review-pending", LIMIT);
    expect(scene.commits(green.branch)).toEqual(["sum", "sum", "note"]);
    expect(green).toMatchObject({ summary: "Fixed.", run: { n: 2 } });
    expect(new Set(scene.conversations(id, 2)).size).toBe(1);
    expect([model.countInLast("Do it."), model.countInLast("The sum is wrong.")]).toEqual([1, 1]);
    expect(green.messages.map(({ delivery }) => delivery)).toEqual(["delivered", "delivered"]);
    if (agent.usage === "calls") expect(green.cost).toMatchObject(model.handedOut());
    await fleet.write("POST", `/api/sessions/${id}/approve`, {});
    await reach(fleet, id, "mergeable", ({ status }) => status === "mergeable", LIMIT);
    await fleet.write("POST", `/api/sessions/${id}/merge`, {});
    await until("the merge", () => git(fleet.repo, "show", "main:sum.txt") === "a + b\n", LIMIT);
    await until("the agent to end", () => scene.programs().length + scene.bridges().length === 0, LIMIT);
  });
});
