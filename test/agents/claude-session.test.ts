import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { open, reach, tell } from "../e2e/survival/session.ts";
import { type Fleet, makeFleet, processesOf } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { claude, claudeEnvironment, commit } from "./support/claude.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const LIMIT = 120_000;

interface Scene {
  readonly fleet: Fleet;
  readonly model: ModelServer;
}

async function stage(agentConfig: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const home = tempDir("ao-user-");
  const own = { command: [claude], permissions: "edits", allow: ["Bash"], ...agentConfig };
  const env = { HOME: home, ...claudeEnvironment(model) };
  const fleet = await makeFleet({ agentConfig: own, project: { agent: "claude-code", env } });
  await open(fleet);
  return { fleet, model };
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
    const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "ask", prompt });
    const asked = await reach(fleet, body.id, "asked", ({ question }) => question !== null, LIMIT);
    expect(asked).toMatchObject({
      status: "needs-input",
      question: { choices: expect.arrayContaining(["allow", "deny"]) },
    });
    expect(commits(fleet, asked.branch)).toEqual([]);
    await fleet.write("POST", `/api/sessions/${body.id}/permission`, { choice: "allow" });
    const done = await reach(fleet, body.id, "done", ({ agentStatus }) => agentStatus === "idle", LIMIT);
    expect(done).toMatchObject({ summary: "It is done.", cost: model.handedOut() });
    expect(commits(fleet, done.branch)).toEqual(["one"]);
  });

  it("outlives the daemon, and its own death in the middle of a turn", async () => {
    const { fleet, model } = await stage();
    const prompt = `Do it. [[run: ${commit("one")}]] [[hold: h]] [[run: ${commit("two")}]] [[say: both]]`;
    const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "die", prompt });
    await until("the model to be asked", () => model.isHolding("h"), LIMIT);
    await fleet.kill();
    expect(programs(fleet)).toHaveLength(1);
    for (const pid of programs(fleet)) process.kill(pid, "SIGKILL");
    await until("the agent to end", () => processesOf(fleet.home).length === 0, LIMIT);
    model.release("h");
    await fleet.start();
    const done = await reach(fleet, body.id, "done", ({ summary }) => summary === "both", LIMIT);
    expect(done.run.n).toBe(2);
    expect(commits(fleet, done.branch)).toEqual(["two", "one"]);
    expect(model.countInLast("Do it.")).toBe(1);
    expect(done.messages.map(({ delivery }) => delivery)).toEqual(["delivered"]);
    expect(done.cost).toMatchObject(model.handedOut());
    await tell(fleet, body.id, "And now. [[say: third]]");
    await reach(fleet, body.id, "done again", ({ summary }) => summary === "third", LIMIT);
    expect(model.countInLast("And now.")).toBe(1);
  });
});
