import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { main, run } from "./shell.ts";
import { makeTeam } from "./team.ts";
import { openTerminal } from "./terminal.ts";

/** Hides text, sets the title and the clipboard, erases the line above, reverses the reading direction. */
const HOSTILE = "\u001b[8mhidden\u001b]0;title\u0007\u001b]52;c;QQ==\u0007\u001b[1A\u001b[2K\u009b2J\u202e\u2066end";
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const SCENES = [
  {
    when: { kind: "task" },
    do: [
      { say: `I say ${HOSTILE}` },
      { note: `I note ${HOSTILE}` },
      { run: ["printf", "%s\n", `plain ${HOSTILE}`] },
      { write: { path: `a${HOSTILE}.txt`, text: `harmless\n${HOSTILE}\n` } },
      { commit: `Add ${HOSTILE}` },
      { done: `Done ${HOSTILE}` },
    ],
  },
  { when: { kind: "message" }, do: [{ ask: { question: `May I ${HOSTILE}?`, choices: [`yes ${HOSTILE}`, "no"] } }] },
];

const COMMANDS = [
  "list",
  "list --json",
  "status",
  "status web-1",
  "inbox",
  "events",
  "events --json",
  "logs web-1",
  "logs web-1 --full",
  "logs web-1 --raw",
  "logs web-1 --json",
  "diff web-1",
  "pr list",
  "pr show web-1",
  "pr show web-1 --log unit",
  "pr show web-1 --json",
  "pr diff web-1",
  "pr checks web-1",
  "review web-1",
  "cost",
  "issue list",
  "issue show 1",
  "api GET /sessions/web-1/transcript",
];

/** What each command shows on a terminal for a session whose agent tries to control it. Created once, for all rows. */
let shown: Promise<ReadonlyMap<string, string>> | null = null;

async function showAll(): Promise<ReadonlyMap<string, string>> {
  const check = `ls a*.txt || exit 0; printf '%s\\n' '${HOSTILE}'; exit 1`;
  const reactions = { "ci-failed": { action: "notify" } };
  const team = await makeTeam({ project: { checks: { unit: { run: check } }, reactions } });
  writeFileSync(join(team.dir, "script.yaml"), stringify({ pace: 0, scenes: SCENES }));
  const { shell, repo } = team;
  await shell.ok("issue", "new", "Job", "--body", `Do ${HOSTILE}`);
  await shell.ok("new", "1");
  await team.untilStatus("web-1", "ci-failed");
  await shell.ok("review", "web-1", `I see ${HOSTILE}`);
  await shell.ok("send", "web-1", `And ${HOSTILE}`);
  await shell.ao("wait", "web-1", "--for", "merged");

  const lines = COMMANDS.map((command) => `'${process.execPath}' '${main}' ${command}; echo "=== ${command}"`).join(
    "; ",
  );
  const env = { ...shell.env, NO_COLOR: "1", NO_PAGER: "1", TERM: "xterm" };
  const { out } = await run("script", ["-qec", lines, "/dev/null"], { cwd: repo, env });
  const parts = out.replaceAll("\r\n", "\n").split(/^=== (.*)\n/m);
  expect(parts.filter((_, index) => index % 2 === 1)).toEqual(COMMANDS);
  // A script that reads the diff needs its bytes.
  expect(await shell.ok("diff", "web-1")).toContain(`+${HOSTILE}\n`);
  const terminal = openTerminal({ ...shell, env: { ...env } }, repo, "attach", "web-1");
  await terminal.type("/quit\r", "/help lists commands");
  const attached = (await terminal.end()).out;
  return new Map([...COMMANDS.map((command, at) => [command, parts[2 * at] ?? ""] as const), ["attach", attached]]);
}

describe("an agent's text does not control the terminal in", () => {
  it.each(COMMANDS)("ao %s", async (command) => {
    shown ??= showAll();
    expect((await shown).get(command)).not.toMatch(STEERING);
  });

  it("ao review and ao attach, which show it escaped", async () => {
    shown ??= showAll();
    expect((await shown).get("review web-1")).toContain("+\\x1b[8mhidden\\x1b]0;title\\x07");
    const attached = (await shown).get("attach");
    expect(attached).toContain("\\x1b[8mhidden");
    for (const part of ["\u001b[8m", "\u001b]", "\u009b", "\u202e", "\u2066"]) expect(attached).not.toContain(part);
  });
});
