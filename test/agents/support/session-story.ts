import { expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { reach, tell } from "../../e2e/survival/session.ts";
import { until } from "../../support/until.ts";
import { recordFact } from "./facts.ts";
import { NO_MODEL } from "./model-api.ts";
import { commit, LIMIT, type Scene, stage, strike } from "./session.ts";
import type { SessionAgent } from "./session-agents.ts";

/** Which parts of the story run: all of it, or only from task to merge. */
export type Length = "whole" | "short";

const SUM = "[[run: echo 'a - b' > sum.txt && git commit -qam Sum]] [[say: There is a sum.]]";
const FIX = "[[run: echo 'a + b' > sum.txt && git commit -qam Fix]] [[say: Fixed.]]";
const REPOSITORY = {
  files: {
    "sum.txt": "0\n",
    // Green on main. The check's output reaches the agent, and here it also scripts the model.
    "check.sh": `grep -qE "^0|a \\+ b" sum.txt || { echo "The sum is wrong. ${FIX}"; exit 1; }\n`,
  },
  project: { checks: { unit: { run: "sh check.sh" } } },
};

/** The life of a session with an agent, as people see it. */
export function tellOfSessions(agent: SessionAgent, length: Length): void {
  it("names the missing model and the key that sets it", () => withWrongModel(agent));
  if (length === "short") {
    it("commits, opens a pull request, and is merged", () => fromTaskToMerge(agent));
    return;
  }
  it("opens a pull request, fixes a red check, and is merged", () => fromRedToMerge(agent));
  it("asks a person through ao and continues with the answer", () => fromQuestionToCommit(agent));
  tellOfDeaths(agent);
}

/** How a session survives the death of each of its parts. */
export function tellOfDeaths(agent: SessionAgent): void {
  it("continues its conversation after its program, the bridge or the daemon dies", () => fromDeathToDeath(agent));
}

/** How an idle headless agent frees its memory. */
export function tellOfHibernation(agent: SessionAgent): void {
  it("hibernates while idle, and wakes up in the same conversation on a message", () => fromSleepToWork(agent));
}

async function fromTaskToMerge(agent: SessionAgent): Promise<void> {
  const scene = await stage(agent, REPOSITORY);
  const id = await scene.begin("sum", FIX);
  const green = await reach(scene.fleet, id, "green", ({ status }) => status === "review-pending", LIMIT);
  expect(scene.commits(green.branch)).toEqual(["Fix"]);
  expect(git(scene.fleet.repo, "log", "-1", "--format=%an", green.branch).trim()).toBe("Ann");
  await merge(scene, id);
  recordFact({ program: agent.program, isMerged: true });
}

async function fromRedToMerge(agent: SessionAgent): Promise<void> {
  const scene = await stage(agent, REPOSITORY);
  const id = await scene.begin("sum", SUM);
  const green = await reach(scene.fleet, id, "green", ({ status }) => status === "review-pending", LIMIT);
  expect(scene.commits(green.branch)).toEqual(["Fix", "Sum"]);
  expect(green.summary).toBe("Fixed.");
  expect(scene.model.countInLast("The sum is wrong.")).toBe(1);
  await merge(scene, id);
  recordFact({ program: agent.program, isMerged: true });
}

async function merge({ fleet, programs, bridges }: Scene, id: string): Promise<void> {
  await fleet.write("POST", `/api/sessions/${id}/approve`, {});
  await reach(fleet, id, "mergeable", ({ status }) => status === "mergeable", LIMIT);
  await fleet.write("POST", `/api/sessions/${id}/merge`, {});
  await until("the merge", () => git(fleet.repo, "show", "main:sum.txt") === "a + b\n", LIMIT);
  await until("the agent to end", () => programs().length + bridges().length === 0, LIMIT);
}

async function fromQuestionToCommit(agent: SessionAgent): Promise<void> {
  const { fleet, model, begin, commits } = await stage(agent, { policy: { permissions: "ask" } });
  const id = await begin("ask", `[[run: ${commit("one")}]] [[say: It is done.]]`);
  const asked = await reach(fleet, id, "asked", ({ question }) => question !== null, LIMIT);
  expect(asked).toMatchObject({
    status: "needs-input",
    question: { kind: "permission", detail: { text: expect.stringContaining("git commit -q -m one") } },
  });
  expect(commits(asked.branch)).toEqual([]);
  const choice = asked.question?.choices.find((text) => /^allow/i.test(text));
  await fleet.write("POST", `/api/sessions/${id}/permission`, { choice });
  const done = await reach(fleet, id, "done", ({ agentStatus }) => agentStatus === "idle", LIMIT);
  expect(done.summary).toBe("It is done.");
  if (agent.usage !== "none") expect(done.cost).toMatchObject(model.handedOut());
  expect(commits(done.branch)).toEqual(["one"]);
}

async function fromDeathToDeath(agent: SessionAgent): Promise<void> {
  const scene = await stage(agent);
  const { fleet, model } = scene;
  const names = ["one", "two", "three"] as const;
  const steps = names.map((name) => `[[run: ${commit(name)}]] [[hold: ${name}]]`);
  const id = await scene.begin("die", `Do it. ${steps.join(" ")} [[say: all]]`);
  const deaths = {
    one: () => strike(scene.programs),
    two: () => strike(scene.bridges),
    three: async () => {
      await fleet.kill();
      await strike(scene.programs);
      await fleet.start();
    },
  };
  for (const name of names) {
    await scene.held(name);
    await deaths[name]();
    await scene.heldAgain(name);
    model.release(name);
  }
  const done = await reach(fleet, id, "done", ({ summary }) => summary === "all", LIMIT);
  expect(done.run.n).toBe(4);
  // Whether a tool runs again if its result was not on disk yet is up to the program.
  expect(new Set(scene.commits(done.branch))).toEqual(new Set(names));
  expect(new Set(scene.conversations(id, 4)).size).toBe(1);
  expect(model.countInLast("Do it.")).toBe(1);
  expect(done.messages.map(({ delivery }) => delivery)).toEqual(["delivered"]);
  if (agent.usage === "calls") expect(done.cost).toMatchObject(model.handedOut());
  await tell(fleet, id, "And now. [[say: again]]");
  await reach(fleet, id, "done again", ({ summary }) => summary === "again", LIMIT);
  expect(model.countInLast("And now.")).toBe(1);
}

async function fromSleepToWork(agent: SessionAgent): Promise<void> {
  const scene = await stage(agent, { machine: { lifecycle: { hibernateAfter: "1s" } } });
  const { fleet, model } = scene;
  const id = await scene.begin("sleep", "Do it. [[say: one]]");
  const isAsleep = ({ status, evidence }: SessionDetailView): boolean =>
    status === "idle" && evidence === "hibernated; a message wakes it";
  const asleep = await reach(fleet, id, "asleep", isAsleep, LIMIT);
  expect(asleep).toMatchObject({ summary: "one", run: { n: 1 } });
  expect([...scene.programs(), ...scene.bridges()]).toEqual([]);
  await tell(fleet, id, "And now. [[say: two]]");
  const again = await reach(fleet, id, "asleep again", (view) => view.summary === "two" && isAsleep(view), LIMIT);
  expect(again.run.n).toBe(2);
  expect(new Set(scene.conversations(id, 2)).size).toBe(1);
  expect(["Do it.", "And now."].map(model.countInLast)).toEqual([1, 1]);
  expect(again.messages.map(({ delivery }) => delivery)).toEqual(["delivered", "delivered"]);
  if (agent.usage === "calls") expect(again.cost).toMatchObject(model.handedOut());
}

// Some programs know which models exist; for most, the service says so in the first turn.
async function withWrongModel(agent: SessionAgent): Promise<void> {
  const { fleet, begin } = await stage(agent, { policy: { ...agent.free, model: NO_MODEL.name } });
  const id = await begin("talk", "[[error: 404]]");
  const isTold = (text: string): boolean => text.includes(NO_MODEL.name) && text.includes("`agentConfig.model`");
  await reach(fleet, id, "told of the model", ({ evidence }) => isTold(evidence), LIMIT);
}
