// The table of docs/user/agents.md that says what the real programs did in the tests.

const HEAD = [
  "| agent | tested versions | a command that nobody allowed, with `permissions: ask` | from a task to the merge |",
  "|---|---|---|---|",
];

// By the folder of the program: the agent as people configure it.
const NAMES = {
  "claude-agent-acp": "`acp` with `claude-agent-acp`",
  "codex-acp": "`acp` with `codex-acp`",
};

const UNLISTED = { asked: "asks you", confined: "runs it in the agent's own sandbox" };

/** Makes the table from what the tests wrote down about the pinned and the newest versions. */
export function makeTable(facts, { pinned, newest }) {
  const rows = Object.keys(pinned)
    .filter((program) => program !== "node24")
    .map((program) =>
      rowOf(
        program,
        facts.filter((fact) => fact.program === program),
        { pinned, newest },
      ),
    );
  return [...HEAD, ...rows].join("\n");
}

/** The table in the page; null: it has none. */
export function readTable(page) {
  const lines = page.split("\n");
  const start = lines.indexOf(HEAD[0]);
  if (start === -1) return null;
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines.slice(start, length === -1 ? undefined : start + length).join("\n");
}

function rowOf(program, facts, { pinned, newest }) {
  const versions = [
    { version: versionOf(pinned[program]), seen: facts.filter(({ isNewest }) => !isNewest) },
    ...(newest[program]
      ? [{ version: versionOf(newest[program]), seen: facts.filter(({ isNewest }) => isNewest) }]
      : []),
  ];
  const cells = [
    NAMES[program] ?? `\`${program}\``,
    versions.map(({ version }) => version).join(", "),
    agreed(versions, (seen) => UNLISTED[seen.find(({ unlisted }) => unlisted)?.unlisted] ?? "not tested"),
    agreed(versions, (seen) => (seen.some(({ isMerged }) => isMerged) ? "yes" : "no")),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** One word for all versions if they agree. */
function agreed(versions, read) {
  const words = versions.map(({ seen }) => read(seen));
  if (new Set(words).size === 1) return words[0];
  return versions.map(({ version }, n) => `${version}: ${words[n]}`).join("; ");
}

function versionOf(packages) {
  return Object.values(packages)[0];
}
