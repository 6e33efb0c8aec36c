import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NEWEST, PROGRAMS } from "../scripts/agent-programs.mjs";
import { makeTable, readTable } from "../scripts/agent-table.mjs";

const versions = {
  pinned: { codex: { "@openai/codex": "1.0.0" }, "codex-acp": { adapter: "2.0.0" }, node24: { node: "24.0.0" } },
  newest: { codex: { "@openai/codex": "1.1.0" } },
};

describe("the table of what real programs did", () => {
  it("says it once where the versions agree, and for each where they do not", () => {
    const facts = [
      { program: "codex", unlisted: "asked", isNewest: false },
      { program: "codex", isMerged: true, isNewest: false },
      { program: "codex", unlisted: "confined", isNewest: true },
      { program: "codex", isMerged: true, isNewest: true },
      { program: "codex-acp", unlisted: "confined", isNewest: false },
    ];
    expect(makeTable(facts, versions).split("\n").slice(2)).toEqual([
      "| `codex` | 1.0.0, 1.1.0 | 1.0.0: asks you; 1.1.0: runs it in the agent's own sandbox | yes |",
      "| `acp` with `codex-acp` | 2.0.0 | runs it in the agent's own sandbox | no |",
    ]);
  });

  it("is found in a page again", () => {
    const table = makeTable([], versions);
    expect(readTable(`# Agents\n\n${table}\n\nMore.\n`)).toBe(table);
    expect(readTable(`# Agents\n\n${table}`)).toBe(table);
    expect(readTable("# Agents\n")).toBeNull();
  });

  it("is in the documentation for every program and version that the tests install", () => {
    const table = readTable(readFileSync("docs/user/agents.md", "utf8"))?.split("\n") ?? [];
    const unnamed = makeTable([], { pinned: PROGRAMS, newest: NEWEST }).split("\n").slice(2);
    const wanted = unnamed.map((row) => row.split(" | ").slice(0, 2).join(" | "));
    expect(table.slice(2).map((row) => row.split(" | ").slice(0, 2).join(" | "))).toEqual(wanted);
  });
});
