import { expect, it } from "vitest";
import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { makeFleet } from "../../support/fleet.ts";
import { reach } from "../survival/session.ts";
import { openShell, plainEnvironment } from "./shell.ts";
import { openTerminal } from "./terminal.ts";

/** As node's readline draws it. */
const PROMPT = "\u001b[0J> ";

const LINES = Array.from({ length: 200 }, (_, n) => `\tline ${n} \u001b[2J\u202e of the heredoc`);
const COMMAND = `echo tidy up\nrm -f license\ncat > x.txt <<EOF\n${LINES.join("\n")}\nEOF`;
const QUESTION = {
  kind: "permission",
  question: "The agent wants to run:\n(a script)",
  detail: { format: "command", text: COMMAND },
  choices: ["allow", "allow always", "deny"],
  descriptions: { "allow always": "Bash(cat:*)\nfor this session" },
  freeText: true,
};
const SHOWN = [
  "The agent wants to run:",
  "(a script)",
  "│ echo tidy up",
  "│ rm -f license",
  "│ cat > x.txt <<EOF",
  ...LINES.map((_, n) => `│ →   line ${n} \\x1b[2J\\u202e of the heredoc`),
  "│ EOF",
  " 1. allow",
  " 2. allow always",
  "      Bash(cat:*)",
  "      for this session",
  " 3. deny",
  "    Or type a reason to deny it; the agent reads why.",
];

async function anAskingFleet() {
  const fleet = await makeFleet();
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  await shell.ok("new", "talk");
  await shell.ok("wait", "demo-talk", "--for", "idle");
  const ask = async (): Promise<void> => {
    await shell.ok("send", "demo-talk", `!pose ${JSON.stringify(QUESTION)}`);
    await reach(fleet, "demo-talk", "asked", ({ question }) => question !== null);
  };
  const heard = (): string | undefined => fleet.diary("demo-talk").findLast(({ event }) => event === "answer")?.choice;
  await ask();
  return { fleet, shell, ask, heard };
}

it("every line of a question is in `ao answer`, the inbox and the API, and the command line answers it", async () => {
  const { fleet, shell, ask, heard } = await anAskingFleet();
  const { question } = await shell.json<SessionDetailView>("status", "demo-talk");
  expect(question).toMatchObject(QUESTION);
  const { data } = await shell.json<{ data: readonly InboxView[] }>("inbox");
  expect(data).toMatchObject([
    {
      sessionId: "demo-talk",
      actions: expect.arrayContaining([expect.objectContaining({ action: "answer", sessionId: "demo-talk" })]),
      question: QUESTION,
    },
  ]);
  expect(data[0]?.text).toMatch(/^The agent wants to run: ⏎ \(a script\) echo tidy up ⏎ rm -f license ⏎ .*…$/);

  const answer = await shell.ao("answer", "demo-talk");
  expect(answer).toMatchObject({ code: 2, err: "error: choose an answer\nhint: ao answer demo-talk 1\n" });
  expect(answer.out.trimEnd().split("\n")).toEqual(SHOWN);
  const inbox = (await shell.ok("inbox")).split("\n");
  expect(inbox.slice(1, SHOWN.length + 1)).toEqual(SHOWN.map((line) => `   ${line}`));
  expect(await shell.ok("status", "demo-talk")).toContain("ao answer demo-talk   (164 more lines there)");

  expect(await shell.ok("answer", "demo-talk", "allow", "always")).toBe("answered: allow always\n");
  await reach(fleet, "demo-talk", "done", ({ summary }) => summary === "answered allow always");
  await ask();
  expect(await shell.ao("answer", "demo-talk", "yes")).toMatchObject({
    code: 2,
    err: 'error: "yes" is not one of the choices.\nhint: Answer with "allow" (1), "allow always" (2), "deny" (3) or any other text.\n',
  });
  expect(await shell.ok("answer", "demo-talk", "no, use sed instead")).toBe(
    "denied, with your reason: no, use sed instead\n",
  );
  await reach(fleet, "demo-talk", "done", ({ summary }) => summary === "answered no, use sed instead");
  expect(heard()).toBe("no, use sed instead");
});

it.runIf(process.platform === "linux")("ao asks a person until there is an answer, or they quit", async () => {
  const { fleet, shell } = await anAskingFleet();
  const open = () => openTerminal(shell, fleet.repo, "answer", "demo-talk");
  const interrupted = open();
  await interrupted.type("\u0003", PROMPT);
  const left = open();
  await left.type("\u0004", PROMPT);
  for (const [terminal, code] of [
    [interrupted, 130],
    [left, 1],
  ] as const) {
    const end = await terminal.end();
    expect(end.code).toBe(code);
    expect(end.out).not.toMatch(/bug|error|Abort/i);
  }
  const answered = open();
  await answered.type("\r", PROMPT);
  await answered.type("7\r", PROMPT, 2);
  await answered.type("allow a\r", PROMPT, 3);
  const { code, out } = await answered.end();
  expect(out).toContain('choose "allow" (1), "allow always" (2), "deny" (3) or any other text');
  expect(out).toContain('"7" is not one of the choices');
  expect(out).toContain("answered: allow always");
  expect(code).toBe(0);
});
