import { appendFileSync } from "node:fs";

/** What a test has seen of a real program; `npm run test:agents` makes the table of docs/user/agents.md from it. */
export interface AgentFact {
  /** The folder of the program, as in scripts/agent-programs.mjs; absent for a stand-in. */
  readonly program: string | undefined;
  /** What it did with a command that nobody allowed, under `permissions: ask`. */
  readonly unlisted?: "asked" | "confined";
  /** It went from a task to a merged pull request. */
  readonly isMerged?: true;
}

const isNewest = process.env["AO_TEST_AGENTS_NEWEST"] === "1";

/** Writes a fact down, if this run collects them and it is about a real program. */
export function recordFact(fact: AgentFact): void {
  const file = process.env["AO_TEST_AGENTS_FACTS"];
  if (file !== undefined && fact.program !== undefined)
    appendFileSync(file, `${JSON.stringify({ ...fact, isNewest })}\n`);
}
