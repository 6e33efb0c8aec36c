import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { open, reach, tell } from "../e2e/survival/session.ts";
import { type Fleet, makeFleet, processesOf } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const LIMIT = 60_000;
const program = fileURLToPath(new URL("../fixtures/agents/acp-agent.mjs", import.meta.url));

interface Scene {
  readonly fleet: Fleet;
  readonly model: ModelServer;
}

async function stage(policy: Readonly<Record<string, unknown>>): Promise<Scene> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const env = { MODEL_URL: model.url, HOME: tempDir("ao-user-") };
  const agent = { plugin: "acp", command: [process.execPath, program], env, usage: "process", ...policy };
  const fleet = await makeFleet({ project: { agent, agentConfig: {} } });
  await open(fleet);
  return { fleet, model };
}

function commit(name: string): string {
  return `echo ${name} >> ${name}.txt && git add -A && git commit -q -m ${name}`;
}

function commits(fleet: Fleet, branch: string): readonly string[] {
  return git(fleet.repo, "log", "--format=%s", `main..${branch}`).trim().split("\n").filter(Boolean);
}

function agents(fleet: Fleet): readonly number[] {
  const isAgent = (pid: number): boolean =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(`${process.execPath}\0${program}`);
  return processesOf(fleet.home).filter(isAgent);
}

describe("a session with an agent that ao has never heard of", { timeout: 3 * LIMIT }, () => {
  it("works by a command line in the configuration, asks a person, and its usage is the session's", async () => {
    const { fleet, model } = await stage({ permissions: "ask" });
    const prompt = `[[run: ${commit("one")}]] [[say: It is done.]]`;
    const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "ask", prompt });
    const asked = await reach(fleet, body.id, "asked", ({ question }) => question !== null, LIMIT);
    expect(asked.question).toMatchObject({ choices: ["Allow once", "Always allow", "Reject"] });
    await fleet.write("POST", `/api/sessions/${body.id}/permission`, { choice: "Allow once" });
    const done = await reach(fleet, body.id, "done", ({ agentStatus }) => agentStatus === "idle", LIMIT);
    expect(done).toMatchObject({ summary: "It is done.", cost: model.handedOut() });
    expect(commits(fleet, done.branch)).toEqual(["one"]);
  });

  it("outlives the daemon, and its own death in the middle of a turn", async () => {
    const { fleet, model } = await stage({ permissions: "all" });
    const prompt = `Do it. [[run: ${commit("one")}]] [[hold: h]] [[run: ${commit("two")}]] [[say: both]]`;
    const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "die", prompt });
    await until("the model to be asked", () => model.isHolding("h"), LIMIT);
    await fleet.kill();
    expect(agents(fleet)).toHaveLength(1);
    for (const pid of agents(fleet)) process.kill(pid, "SIGKILL");
    await until("the agent to end", () => processesOf(fleet.home).length === 0, LIMIT);
    model.release("h");
    await fleet.start();
    const done = await reach(fleet, body.id, "done", ({ summary }) => summary === "both", LIMIT);
    expect(done.run.n).toBe(2);
    expect(commits(fleet, done.branch)).toEqual(["two", "one"]);
    expect(model.countInLast("Do it.")).toBe(1);
    await tell(fleet, body.id, "And now. [[say: third]]");
    await reach(fleet, body.id, "done again", ({ summary }) => summary === "third", LIMIT);
    expect(model.countInLast("And now.")).toBe(1);
  });
});
