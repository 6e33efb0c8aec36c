import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge } from "../../../src/cli/commands/wait/judge-wait.ts";
import type { PullRequestDetailView, PullRequestView } from "../../../src/protocol/views/pull-request.ts";
import type { SessionDetailView, SessionView } from "../../../src/protocol/views/session.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { call } from "../../support/api.ts";
import { type DocsLine, readLines } from "../../support/docs-commands.ts";
import { until } from "../../support/until.ts";
import { BEFORE, FIRST, LAST, NOT_TYPED, UNTIL_CTRL_C } from "./plan.ts";
import { makeStage, type Stage } from "./stage.ts";

const blocks = (page: string): readonly DocsLine[] => readLines(page).filter(({ kind }) => kind === "block");

/** Types a line, which must succeed. */
async function expectToWork(stage: Stage, { at, text }: DocsLine, written = text): Promise<string> {
  const before = BEFORE[text];
  if (before !== undefined) expect(await stage.type(before), before).toMatchObject({ code: 0 });
  const typed = UNTIL_CTRL_C.includes(text) ? await interrupt(stage, written) : await stage.type(written);
  expect.soft(typed.code, `${at}: ${written}\n${typed.out}${typed.err}`).toBe(0);
  return typed.out;
}

/** Types a command that keeps running, and Ctrl+C once it has shown something. */
function interrupt(stage: Stage, line: string): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", `exec ${line}`], { cwd: stage.repo, env: stage.env });
    let shown = "";
    const hear = (chunk: Buffer): void => {
      if (shown === "") child.kill("SIGINT");
      shown += chunk.toString("utf8");
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    // A program ended by Ctrl+C may or may not print something.
    child.once("close", (code, signal) =>
      resolve({ code: code === 130 || signal === "SIGINT" ? 0 : code, out: shown, err: "" }),
    );
  });
}

async function pull(stage: Stage, ref: string): Promise<PullRequestDetailView> {
  const typed = await stage.type(`ao pr show '${ref}' --json`);
  expect(typed, ref).toMatchObject({ code: 0 });
  return JSON.parse(typed.out) as PullRequestDetailView;
}

/** Asks the daemon directly: a wait that starts `ao` for each look would take most of the test's time. */
async function ask<T>({ env }: Stage, path: string): Promise<T> {
  return (await call<T>(join(env["AO_HOME"] ?? "", "ao.sock"), "GET", path)).body;
}

const listPulls = async (stage: Stage): Promise<readonly PullRequestView[]> =>
  (await ask<{ readonly data: readonly PullRequestView[] }>(stage, "/api/pull-requests")).data;

/** Is the first pull request at the commit that its branch is at? */
async function isShown(stage: Stage, branch: string): Promise<boolean> {
  return (await listPulls(stage))[0]?.head === git(stage.repo, "rev-parse", branch).trim();
}

/** Waits until no agent has anything to do. */
async function untilQuiet(stage: Stage): Promise<void> {
  const { data } = await ask<{ readonly data: readonly SessionView[] }>(stage, "/api/sessions");
  for (const { id } of data) {
    const look = () => ask<SessionDetailView>(stage, `/api/sessions/${id}`);
    await until(`${id} to be idle`, async () => judge(await look(), "idle").kind !== "waiting");
  }
  const isThird = ({ number }: PullRequestView): boolean => number === 3;
  await until("checks to pass", async () =>
    (await listPulls(stage)).find(isThird)?.checks.every(({ state }) => state === "passed"),
  );
}

describe("the commands in docs/user, run as written", () => {
  it("pull-requests.md: from the agent's commit to the merge", async () => {
    const stage = makeStage();
    expect(await stage.type("ao start --no-open --detach")).toMatchObject({ code: 0 });
    const lines = blocks("docs/user/pull-requests.md");
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      await expectToWork(stage, line);
      // A person would not type the next line before the agent's commit is shown.
      if (line.text.endsWith("--for idle"))
        await until("the agent's commit", () => isShown(stage, "agent/fix-the-login-form"));
    }
    expect(await pull(stage, "#1")).toMatchObject({ phase: "merged" });
  });

  it("every other page, and every example of the help", async () => {
    const stage = makeStage();
    const lines = [...blocks("docs/user/cli.md"), ...blocks("docs/user/cost.md")];
    const find = (text: string): DocsLine => {
      const line = lines.find((one) => one.text === text);
      expect(line, `the plan names a line that no page has: ${text}`).toBeDefined();
      return line as DocsLine;
    };
    for (const text of [...Object.keys(NOT_TYPED), ...Object.keys(BEFORE), ...UNTIL_CTRL_C]) find(text);
    const planned = new Set([...FIRST, ...LAST, ...Object.keys(NOT_TYPED)]);

    const [start, ...needed] = FIRST.map(find);
    await expectToWork(stage, start as DocsLine);
    expect(await stage.type('ao new "Fix login"')).toMatchObject({ code: 0 });
    expect(await stage.type("ao wait my-app-fix-login --for pr")).toMatchObject({ code: 0 });
    for (const line of needed) await expectToWork(stage, line);
    await until("three pull requests", async () => (await listPulls(stage)).length >= 3);
    const url = JSON.parse((await stage.type("ao start --json")).out) as { url: string };
    const typed = new Set<string>();
    for (const line of lines) {
      if (planned.has(line.text) || typed.has(line.text)) continue;
      typed.add(line.text);
      await expectToWork(stage, line, line.text.replace(/http:\/\/(?:localhost|127\.0\.0\.1):3000/, url.url));
    }
    await untilQuiet(stage);
    const thread = (await pull(stage, "my-app-fix-login")).threads[0]?.id ?? "";
    const head = (await pull(stage, "#3")).head.slice(0, 7);
    for (const text of LAST) {
      await expectToWork(stage, find(text), text.replace("rv-1a2b3c4d.1", thread).replace("1a2b3c4", head));
      if (text.startsWith("ao reply") || text === "ao resume --project my-app") await untilQuiet(stage);
    }
  });
});
