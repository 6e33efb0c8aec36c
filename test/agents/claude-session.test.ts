import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { open, reach, tell } from "../e2e/survival/session.ts";
import { type Fleet, makeFleet, processesOf } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { claude, claudeEnvironment, commit, hasSaved } from "./support/claude.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const LIMIT = 120_000;

interface Scene {
  readonly fleet: Fleet;
  readonly model: ModelServer;
  /** The user's home. */
  readonly home: string;
}

async function stage(
  agentConfig: Readonly<Record<string, unknown>> = {},
  more: { readonly files?: Record<string, string>; readonly project?: Readonly<Record<string, unknown>> } = {},
): Promise<Scene> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const home = tempDir("ao-user-");
  const own = { command: [claude], permissions: "edits", allow: ["Bash"], ...agentConfig };
  const env = { HOME: home, ...claudeEnvironment(model) };
  const fleet = await makeFleet({
    agentConfig: own,
    project: { agent: "claude-code", env, ...more.project },
    ...(more.files && { files: more.files }),
  });
  await open(fleet);
  return { fleet, model, home };
}

async function begin(fleet: Fleet, title: string, prompt: string): Promise<string> {
  const { body, status } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title, prompt });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

function commits(fleet: Fleet, branch: string): readonly string[] {
  return git(fleet.repo, "log", "--format=%s", `main..${branch}`).trim().split("\n").filter(Boolean);
}

function programs(fleet: Fleet): readonly number[] {
  return processesOf(fleet.home).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(String(claude)),
  );
}

describe.skipIf(claude === null)("a session with Claude Code", { timeout: 3 * LIMIT }, () => {
  it("asks a person through ao and goes on with the answer", async () => {
    const { fleet, model } = await stage({ permissions: "ask", allow: [] });
    const prompt = `[[run: ${commit("one")}]] [[say: It is done.]]`;
    const id = await begin(fleet, "ask", prompt);
    const asked = await reach(fleet, id, "asked", ({ question }) => question !== null, LIMIT);
    expect(asked).toMatchObject({
      status: "needs-input",
      question: { choices: expect.arrayContaining(["allow", "deny"]) },
    });
    expect(commits(fleet, asked.branch)).toEqual([]);
    await fleet.write("POST", `/api/sessions/${id}/permission`, { choice: "allow" });
    const done = await reach(fleet, id, "done", ({ agentStatus }) => agentStatus === "idle", LIMIT);
    expect(done).toMatchObject({ summary: "It is done.", cost: model.handedOut() });
    expect(commits(fleet, done.branch)).toEqual(["one"]);
  });

  it("outlives the daemon, and its own death in the middle of a turn", async () => {
    const { fleet, model, home } = await stage();
    const prompt = `Do it. [[run: ${commit("one")}]] [[hold: h]] [[run: ${commit("two")}]] [[say: both]]`;
    const id = await begin(fleet, "die", prompt);
    await until("the model to be asked", () => model.isHolding("h"), LIMIT);
    await until("the tool's result to be saved", () => hasSaved(home, '"tool_result"'), LIMIT);
    await fleet.kill();
    expect(programs(fleet)).toHaveLength(1);
    for (const pid of programs(fleet)) process.kill(pid, "SIGKILL");
    await until("the agent to end", () => processesOf(fleet.home).length === 0, LIMIT);
    await until("the model to miss who asked", () => !model.isHolding("h"), LIMIT);
    model.release("h");
    await fleet.start();
    const done = await reach(fleet, id, "done", ({ summary }) => summary === "both", LIMIT);
    expect(done.run.n).toBe(2);
    expect(commits(fleet, done.branch)).toEqual(["two", "one"]);
    expect(model.countInLast("Do it.")).toBe(1);
    expect(done.messages.map(({ delivery }) => delivery)).toEqual(["delivered"]);
    expect(done.cost).toMatchObject(model.handedOut());
    await tell(fleet, id, "And now. [[say: third]]");
    await reach(fleet, id, "done again", ({ summary }) => summary === "third", LIMIT);
    expect(model.countInLast("And now.")).toBe(1);
  });

  it("opens a pull request, is told of a red check, fixes it, and is merged", async () => {
    const fix = "[[run: echo 'a + b' > sum.txt && git commit -qam Fix]] [[say: Fixed.]]";
    const files = {
      "sum.txt": "0\n",
      // What the check prints reaches the agent, and here also what the model makes of it.
      "check.sh": `grep -q "a + b" sum.txt || { echo "The sum is wrong. ${fix}"; exit 1; }\n`,
    };
    const { fleet, model } = await stage({}, { files, project: { checks: { unit: { run: "sh check.sh" } } } });
    const prompt = "[[run: echo 'a - b' > sum.txt && git commit -qam Sum]] [[say: There is a sum.]]";
    const id = await begin(fleet, "sum", prompt);
    const green = await reach(fleet, id, "green", ({ status }) => status === "review-pending", LIMIT);
    expect(commits(fleet, green.branch)).toEqual(["Fix", "Sum"]);
    expect(green.summary).toBe("Fixed.");
    expect(model.countInLast("The sum is wrong.")).toBe(1);
    await fleet.write("POST", `/api/sessions/${id}/approve`, {});
    await reach(fleet, id, "mergeable", ({ status }) => status === "mergeable", LIMIT);
    await fleet.write("POST", `/api/sessions/${id}/merge`, {});
    await until("the merge", () => git(fleet.repo, "show", "main:sum.txt") === "a + b\n", LIMIT);
    await until("the agent to end", () => programs(fleet).length === 0, LIMIT);
  });
});
