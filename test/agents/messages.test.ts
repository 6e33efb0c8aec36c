import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MIB } from "../e2e/cli/send-texts.ts";
import { openShell, plainEnvironment } from "../e2e/cli/shell.ts";
import { reach } from "../e2e/survival/session.ts";
import { isWhole } from "./support/programs.ts";
import { LIMIT, type Scene, stage, strike } from "./support/session.ts";
import { MAIN_AGENTS, TERMINAL_AGENTS } from "./support/session-agents.ts";

const all = [...MAIN_AGENTS, ...TERMINAL_AGENTS];
const agents = isWhole ? all : all.filter(({ plugin }) => plugin === "codex");

/** What a person sees after a command. */
async function ao({ fleet }: Scene, input: string, ...args: string[]): Promise<string> {
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  return (await shell.aoWith({ input }, ...args)).out.trim();
}

function send(scene: Scene, id: string, text: string): Promise<string> {
  return ao(scene, text, "send", id);
}

async function beginIdle(scene: Scene): Promise<string> {
  const id = await scene.begin("talk", "First. [[say: ready]]");
  await reach(scene.fleet, id, "idle", ({ agentStatus }) => agentStatus === "idle", LIMIT);
  return id;
}

/** Waits for the model's answer to a text, which is then confirmed and in the conversation once, as is the first one. */
async function expectOnce({ fleet, model }: Scene, id: string, text: string, summary: string): Promise<void> {
  const done = await reach(fleet, id, `done with ${summary}`, (session) => session.summary === summary, LIMIT);
  expect(new Set(done.messages.map(({ delivery }) => delivery))).toEqual(new Set(["delivered"]));
  expect(model.countInLast(text)).toBe(1);
  expect(model.countInLast("First.")).toBe(1);
}

for (const agent of agents) {
  describe.skipIf(agent.command === null)(`a message to ${agent.title}`, () => {
    it("arrives complete and once if it is large", async () => {
      const scene = await stage(agent);
      const id = await beginIdle(scene);
      const bytes = agent.isTyped === true ? 2 ** 16 : MIB;
      const line = agent.isTyped === true ? 'äöü \\ " 🎉 line\n' : 'äöü \\ " \t 🎉 line\n';
      const start = `[[say: read]] ${line.repeat(bytes / 30)}`;
      const text = start.padEnd(start.length + bytes - Buffer.byteLength(start) - 3, "x").concat("end");
      expect(Buffer.byteLength(text)).toBe(bytes);
      expect(await send(scene, id, text)).toMatch(/^(delivered|unconfirmed)/);
      await expectOnce(scene, id, text, "read");
    });

    it("sent during a turn arrives once, and shows that it waits", async () => {
      const scene = await stage(agent);
      const id = await scene.begin("talk", "First. [[run: true]] [[hold: h]] [[say: first]]");
      await scene.held("h");
      expect(await send(scene, id, "Second. [[say: second]]")).toMatch(
        /^(delivered|unconfirmed: .*after the current turn)$/,
      );
      scene.model.release("h");
      await expectOnce(scene, id, "Second.", "second");
    });

    it("sent while a question is open waits, says so, and arrives once after the answer", async () => {
      const scene = await stage(agent, { policy: { permissions: "ask" } });
      const { fleet, model } = scene;
      const id = await scene.begin("talk", "First. [[run: touch made.txt]] [[say: first]]");
      const { question, workspacePath } = await reach(fleet, id, "asked", (one) => one.question !== null, LIMIT);
      const calls = model.calls.length;
      expect(await send(scene, id, "Second. [[say: second]]")).toMatch(/^queued: .*question; ao answer/);
      expect((await fleet.session(id)).question).toEqual(question);
      expect(model.calls).toHaveLength(calls);
      const choice = question?.choices.find((text) => /^allow/i.test(text));
      await fleet.write("POST", `/api/sessions/${id}/permission`, { choice });
      await expectOnce(scene, id, "Second.", "second");
      expect(existsSync(join(String(workspacePath), "made.txt"))).toBe(true);
    });

    it("sent with or after an interrupt arrives once, in a turn of its own", async () => {
      const scene = await stage(agent);
      const { fleet } = scene;
      const id = await scene.begin("talk", "First. [[run: true]] [[hold: one]] [[say: first]]");
      await scene.held("one");
      expect(await ao(scene, "", "interrupt", id)).toBe("delivered");
      const now = await reach(fleet, id, "interrupted", ({ summary }) => summary === "interrupted", LIMIT);
      expect(now).toMatchObject({ agentStatus: "idle", evidence: "interrupted" });
      await send(scene, id, "Second. [[run: true]] [[hold: two]] [[say: second]]");
      await scene.held("two");
      await ao(scene, "Third. [[say: third]]", "send", id, "--interrupt");
      await expectOnce(scene, id, "Third.", "third");
    });

    it("sent after the program died restarts it and continues the same conversation", async () => {
      const scene = await stage(agent);
      const id = await beginIdle(scene);
      await strike(scene.programs);
      expect(await send(scene, id, "Second. [[say: second]]")).toMatch(/^(delivered|unconfirmed|queued: )/);
      await expectOnce(scene, id, "Second.", "second");
      expect(new Set(scene.conversations(id, 2)).size).toBe(1);
    });
  });
}
