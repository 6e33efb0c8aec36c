import { describe, expect, it } from "vitest";
import type { MessageView, OutputView, SessionDetailView } from "../../../src/protocol/views/session.ts";
import type { TranscriptPage } from "../../../src/protocol/views/transcript.ts";
import { type Fleet, makeFleet, processesOf } from "../../support/fleet.ts";
import { judgeDeliveries } from "../../support/judge.ts";
import { until } from "../../support/until.ts";
import { ao } from "./ao.ts";
import { begin, eventsOf, inboxOf, open, printed, reach, tell } from "./session.ts";

const LONG = "task\n!note one\n!busy 300\n!note two\n!busy 300\n!note three\n!busy 300\n!write made.txt yes";

/** A session whose agent is working on its task. */
async function beginWork(fleet: Fleet, prompt: string): Promise<string> {
  await open(fleet);
  const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title: "one", prompt });
  await until("the agent to take its task", () => fleet.diary(body.id).some((entry) => entry.event === "confirmed"));
  return body.id;
}

/** Waits, without a daemon, until the agent has printed this often. */
function untilPrinted(fleet: Fleet, id: string, what: string, times: number): Promise<unknown> {
  return until(`${times} × ${what}`, () => printed(fleet, id, 1).split(what).length > times);
}

function count(events: readonly string[], type: string): number {
  return events.filter((event) => event === type).length;
}

describe("while the daemon is down", () => {
  it("an agent keeps working; afterwards its output, cost, status and result are recorded exactly once", async () => {
    const fleet = await makeFleet();
    const id = await beginWork(fleet, LONG);
    await fleet.kill();
    await untilPrinted(fleet, id, '"type":"done"', 1);
    await fleet.start();
    const session = await reach(fleet, id, "idle", (now) => now.agentStatus === "idle");
    expect(session.cost).toMatchObject({ inputTokens: 10, outputTokens: 5, costUsd: 0.01 });
    expect(session.summary).toBe(`done with ${session.messages[0]?.id}`);
    expect(session.run).toMatchObject({ n: 1, state: "alive" });
    const output = (await fleet.api<OutputView>("GET", `/api/sessions/${id}/output`)).body;
    expect(output.text).toBe(printed(fleet, id, 1));
    const rest = await fleet.api<OutputView>("GET", `/api/sessions/${id}/output?cursor=${output.cursor}`);
    expect(rest.body.text).toBe("");
    const events = await eventsOf(fleet, id);
    const { body: transcript } = await fleet.api<TranscriptPage>("GET", `/api/sessions/${id}/transcript`);
    const notes = transcript.data.flatMap((item) =>
      item.kind === "event" && item.type === "agent.reported" ? [item.text] : [],
    );
    expect(notes).toEqual(["working: one", "working: two", "working: three"]);
    expect(count(events, "agent.used")).toBe(1);
    expect(count(events, "agent.finished")).toBe(1);
    expect(await ao(fleet, "diff", id)).toContain("made.txt");
    expect(judgeDeliveries([LONG], fleet.diary(id), fleet.receipts(id))).toEqual([]);
  });

  it("the agent reads messages waiting in its input, none twice", async () => {
    const fleet = await makeFleet();
    const id = await beginWork(fleet, LONG);
    const texts = ["second", "third\n!note here", "fourth"];
    for (const content of texts) await fleet.write("POST", `/api/sessions/${id}/message`, { content });
    // A message being sent may not be in the agent's input yet.
    const isHanded = ({ delivery }: MessageView): boolean => delivery !== "queued" && delivery !== "sending";
    await reach(fleet, id, "handed all", ({ messages }) => messages.every(isHanded));
    await fleet.kill();
    await untilPrinted(fleet, id, '"type":"done"', 4);
    await fleet.start();
    const session = await reach(fleet, id, "told all", ({ messages }) =>
      messages.every(({ delivery, attempt }) => delivery === "delivered" && attempt === 1),
    );
    expect(session.cost).toMatchObject({ inputTokens: 40, outputTokens: 20 });
    await tell(fleet, id, "fifth");
    expect(judgeDeliveries([LONG, ...texts, "fifth"], fleet.diary(id), fleet.receipts(id))).toEqual([]);
  });

  it("an agent can ask; afterwards its question is in the inbox, and messages behind it follow once after the answer", async () => {
    const fleet = await makeFleet();
    const id = await beginWork(fleet, "task\n!busy 600\n!ask Deploy now?|Yes|No");
    await fleet.kill();
    await untilPrinted(fleet, id, '"type":"ask"', 1);
    await fleet.start();
    expect(await inboxOf(fleet, id)).toMatchObject([{ kind: "question", text: "Deploy now?", choices: ["Yes", "No"] }]);
    expect(await fleet.session(id)).toMatchObject({ status: "needs-input", evidence: "asks: Deploy now?" });
    await fleet.write("POST", `/api/sessions/${id}/message`, { content: "after the answer" });
    await fleet.kill();
    await fleet.start();
    expect(await inboxOf(fleet, id)).toHaveLength(1);
    expect(fleet.diary(id).some((entry) => entry.text === "after the answer")).toBe(false);
    await ao(fleet, "answer", id, "yes");
    await reach(fleet, id, "told all", ({ messages }) => messages.every(({ delivery }) => delivery === "delivered"));
    const heard = fleet.diary(id).filter((entry) => ["answer", "message"].includes(entry.event));
    expect(heard).toMatchObject([{ choice: "Yes" }, { text: "after the answer" }]);
    expect(await inboxOf(fleet, id)).toEqual([]);
  });

  it("an agent can die; afterwards it restarts with its conversation and the open turn", async () => {
    const fleet = await makeFleet();
    const prompt = "task\n!note begun\n!busy 60000";
    const id = await beginWork(fleet, prompt);
    const { run } = await reach(fleet, id, "at work", (now) => now.run.state === "alive" && now.evidence === "begun");
    await fleet.kill();
    process.kill(run.pid ?? 0, "SIGKILL");
    await fleet.start();
    await until("the agent to take up its turn", () => fleet.diary(id).some((entry) => entry.event === "resume"));
    const again = fleet.diary(id).filter((entry) => entry.pid !== run.pid);
    expect(again.slice(0, 2)).toMatchObject([
      { event: "start", resume: true },
      { event: "resume", text: prompt },
    ]);
    expect(fleet.diary(id).filter((entry) => entry.event === "task")).toHaveLength(1);
    expect((await fleet.session(id)).run.n).toBe(2);
  });

  it("an agent that exits with 0 during a turn is restarted to finish it", async () => {
    const fleet = await makeFleet();
    const id = await beginWork(fleet, "task\n!busy 500\n!exit");
    await fleet.kill();
    await until("the agent to leave", () => processesOf(fleet.home).length === 0);
    await fleet.start();
    await until("the agent to take up its turn", () => fleet.diary(id).some((entry) => entry.event === "resume"));
    expect(fleet.diary(id).filter((entry) => entry.event === "task")).toHaveLength(1);
  });

  it("two restarts in a row make no difference", async () => {
    const fleet = await makeFleet();
    await open(fleet);
    const { id } = await begin(fleet, "one", "task\n!write dirty.txt x");
    const asking = await fleet.write<SessionDetailView>("POST", "/api/sessions", {
      title: "two",
      prompt: "!ask Go?|Yes",
    });
    await reach(fleet, asking.body.id, "asking", (now) => now.status === "needs-input");
    const stopped = await begin(fleet, "three");
    await ao(fleet, "stop", stopped.id);
    const ids = [id, asking.body.id, stopped.id];
    const look = async (): Promise<unknown> => ({
      sessions: await Promise.all(ids.map((one) => fleet.session(one))),
      events: await Promise.all(ids.map((one) => eventsOf(fleet, one))),
      inbox: (await fleet.api("GET", "/api/inbox")).body,
      diaries: ids.map((one) => fleet.diary(one)),
    });
    await until("every effect to be recorded as over", async () => {
      const events = (await Promise.all(ids.map((one) => eventsOf(fleet, one)))).flat();
      return count(events, "intent.started") === count(events, "intent.finished");
    });
    const before = await look();
    for (let restart = 0; restart < 2; restart += 1) {
      if (restart === 0) await fleet.kill();
      else await stopPolitely(fleet);
      await fleet.start();
      expect(await look()).toEqual(before);
    }
  });
});

async function stopPolitely(fleet: Fleet): Promise<void> {
  process.kill(fleet.daemonPid(), "SIGTERM");
  expect(await fleet.exitOf()).toBe(0);
}
