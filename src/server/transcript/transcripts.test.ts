import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../core/session/events.ts";
import { sessionStream } from "../../core/stream.ts";
import { createHostFs } from "../../platform/fs.ts";
import { createRunOutput } from "../../platform/run-output.ts";
import { NO_CHANGES } from "../../ports/store.ts";
import type { TranscriptItem } from "../../protocol/views/transcript.ts";
import { aSession, aWorld } from "../../testing/builders.ts";
import { createMemoryStore } from "../../testing/memory-store.ts";
import { tempDir } from "../../testing/temp.ts";
import type { Actions } from "../actions.ts";
import { createTranscripts, type Transcripts } from "./transcripts.ts";

const T0 = Date.parse("2026-11-15T12:00:00Z");
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();

interface Fixture {
  readonly transcripts: Transcripts;
  /** A daemon without any cached state. */
  restart(): Transcripts;
  log(seconds: number, event: SessionEvent): Promise<void>;
  print(...lines: readonly (object | string)[]): void;
  complain(text: string): void;
}

/** One session with a run, its log and its files. */
function makeFixture(input: "inbox" | "file" = "inbox"): Fixture {
  const dir = tempDir();
  const store = createMemoryStore();
  const session = aSession({ id: "demo-1", input, run: { state: "alive", n: 1 } });
  const world = aWorld({ sessions: [session] });
  mkdirSync(join(dir, "1"));
  for (const name of ["out", "err"]) writeFileSync(join(dir, "1", name), "");
  let position = 0;
  const actions = {
    engine: { world, lastPosition: () => position },
    store,
    pullRequests: { textOf: async (text: { inline: string }) => text.inline },
    runFiles: { output: () => createRunOutput(createHostFs(), (run) => join(dir, String(run))) },
  } as unknown as Actions;
  return {
    transcripts: createTranscripts(actions),
    restart: () => createTranscripts(actions),
    log: async (seconds, event) => {
      const events = [{ stream: sessionStream("demo-1"), at: T0 + seconds * 1000, event }];
      await store.append({ ...NO_CHANGES, events }, position);
      position += 1;
    },
    print: (...lines) =>
      appendFileSync(
        join(dir, "1", "out"),
        lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
      ),
    complain: (text) => appendFileSync(join(dir, "1", "err"), text),
  };
}

const queued = (id: string, text: string, kind: "task" | "message" | "answer" = "message"): SessionEvent => ({
  ...{ type: "message.queued", id, kind, replyTo: null, text: { inline: text }, bytes: text.length },
});
const accepted = (id: string): SessionEvent => ({ type: "message.accepted", id, by: "received" });

/** An item in a few words. */
function brief(item: TranscriptItem): string {
  switch (item.kind) {
    case "message":
      return `${item.from}: ${item.text}`;
    case "tool":
      return `tool ${item.title}`;
    case "question":
      return `question ${item.question.question}`;
    case "end":
      return `${item.outcome}${item.text === null ? "" : `: ${item.text}`}`;
    default:
      return `${item.kind} ${item.text}`;
  }
}

const all = async (transcripts: Transcripts): Promise<readonly string[]> =>
  (await transcripts.read("demo-1", { limit: 1000 })).data.map(brief);

async function converse({ log, print }: Fixture): Promise<void> {
  await log(0, queued("m1", "Fix the login", "task"));
  await log(1, { type: "run.started", run: 1, pid: 7 });
  print({ type: "received", id: "m1" });
  await log(2, { type: "message.written", id: "m1", run: 1 });
  await log(2, accepted("m1"));
  print({ type: "say", text: "I look.", at: at(3) }, { type: "tool", id: "t1", name: "Bash", title: "ls", at: at(4) });
  print({ type: "status", state: "working", note: "Bash: ls" });
  await log(4, { type: "agent.reported", state: "working", note: "Bash: ls" });
  print({ type: "ask", id: "q1", question: "May I run ls?", choices: ["allow", "deny"] });
  await log(5, { type: "agent.asked", id: "q1", question: "May I run ls?", choices: ["allow", "deny"], run: 1 });
  await log(9, { type: "agent.answered", questionId: "q1", choice: "allow", messageId: "m2" });
  await log(9, queued("m2", "allow", "answer"));
  print({ type: "tool-result", id: "t1", ok: true, text: "a.txt", at: at(10) });
  print({ type: "say", text: "It is **done**.", at: at(11) }, { type: "done", summary: "It is **done**." });
  await log(11, { type: "agent.finished", summary: "It is **done**." });
}

const CONVERSATION = [
  "person: Fix the login",
  "say I look.",
  "tool ls",
  "question May I run ls?",
  "answer allow",
  "result a.txt",
  "say It is **done**.",
  "done",
];

describe("a transcript", () => {
  it("has each part of the conversation once, in order", async () => {
    const fixture = makeFixture();
    await converse(fixture);
    expect(await all(fixture.transcripts)).toEqual(CONVERSATION);
  });

  it("places plain lines by what the log says about their neighbors", async () => {
    const fixture = makeFixture();
    await fixture.log(0, queued("m1", "one", "task"));
    await fixture.log(1, { type: "run.started", run: 1, pid: 7 });
    fixture.print("hello", { type: "received", id: "m1" }, "works", { type: "done", summary: "works" });
    await fixture.log(5, accepted("m1"));
    await fixture.log(6, { type: "agent.finished", summary: "works" });
    await fixture.log(60, queued("m2", "two"));
    fixture.print({ type: "received", id: "m2" }, "again");
    await fixture.log(61, accepted("m2"));
    const expected = ["person: one", "output hello", "output works", "done", "person: two", "output again"];
    expect(await all(fixture.transcripts)).toEqual(expected);
  });

  it("places plain lines after their message even before the log has its receipt", async () => {
    const fixture = makeFixture();
    await fixture.log(1, { type: "run.started", run: 1, pid: 7 });
    await fixture.log(5, queued("m1", "one", "task"));
    fixture.print({ type: "received", id: "m1" }, "works");
    expect(await all(fixture.transcripts)).toEqual(["person: one", "output works"]);
  });

  it("shows a failed turn once, and a summary that was not printed", async () => {
    const fixture = makeFixture();
    fixture.print(
      { type: "done", summary: "login failed" },
      { type: "status", state: "errored", note: "login failed" },
    );
    await fixture.log(1, { type: "agent.finished", summary: "login failed" });
    await fixture.log(1, { type: "agent.errored", reason: "login failed" });
    await fixture.log(2, { type: "agent.finished", summary: "interrupted" });
    expect(await all(fixture.transcripts)).toEqual(["failed: login failed", "interrupted"]);
  });

  it("shows everything that a program without the protocol prints, including errors", async () => {
    const fixture = makeFixture("file");
    fixture.print({ type: "done", summary: "x" });
    fixture.complain("warning: old\n");
    const expected = ['output {"type":"done","summary":"x"}', "output warning: old"];
    expect(await all(fixture.transcripts)).toEqual(expected);
  });

  it("shows each new note of an agent once, whether or not the log has its report", async () => {
    const fixture = makeFixture();
    const note = (state: string, text?: string): object => ({ type: "status", state, note: text });
    fixture.print(note("working", "reads"), note("working", "reads"), note("working"), note("working", "writes"));
    fixture.print(note("waiting", "a color"), note("idle", "over"), note("working", "reads"));
    await fixture.log(1, { type: "agent.reported", state: "working", note: "reads" });
    await fixture.log(2, { type: "agent.reported", state: "idle", note: "over" });
    const expected = ["working: reads", "working: writes", "waiting: a color", "working: reads"];
    expect(await all(fixture.transcripts)).toEqual(expected.map((text) => `event ${text}`));
  });

  it("keeps an incomplete line for later", async () => {
    const fixture = makeFixture();
    fixture.complain("half");
    expect(await all(fixture.transcripts)).toEqual([]);
    fixture.complain(" and half\n");
    expect(await all(fixture.transcripts)).toEqual(["output half and half"]);
  });

  it("shows who wrote a message, and what it is about", async () => {
    const fixture = makeFixture();
    const sent = {
      problem: "ci-failed:unit",
      occurrence: "1",
      attempt: 1,
      messageId: "r-change-1",
      head: "",
      turns: 0,
    };
    await fixture.log(1, { type: "reaction.sent", ...sent });
    await fixture.log(1, queued("r-change-1", "The check failed."));
    fixture.print({ type: "prompt", text: "typed", at: at(2) });
    const { data } = await fixture.transcripts.read("demo-1", { limit: 9 });
    expect(data).toMatchObject([
      { kind: "message", from: "ao", about: "ci-failed:unit", at: at(1), id: "e2" },
      { kind: "message", from: "terminal", text: "typed", at: at(2), id: "out1.0" },
    ]);
  });

  it("rejects a foreign cursor", async () => {
    const { transcripts } = makeFixture();
    await expect(transcripts.read("demo-1", { cursor: "a.1", limit: 5 })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("the pages of a transcript", () => {
  it("are the same list forward and backward, even after a daemon restart", async () => {
    const fixture = makeFixture();
    await converse(fixture);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.boolean(), async (limit, doesRestart) => {
        const { transcripts, restart } = fixture;
        const reader = (): Transcripts => (doesRestart ? restart() : transcripts);
        const back: string[] = [];
        let page = await reader().read("demo-1", { limit });
        const { cursor: end } = page;
        back.unshift(...page.data.map(brief));
        while (page.older !== null) {
          page = await reader().read("demo-1", { limit, cursor: page.older });
          back.unshift(...page.data.map(brief));
        }
        expect(back).toEqual(CONVERSATION);
        const forth = page.data.map(brief);
        while (page.cursor !== end) {
          page = await reader().read("demo-1", { limit, cursor: page.cursor });
          forth.push(...page.data.map(brief));
        }
        expect(forth).toEqual(CONVERSATION);
      }),
      { numRuns: 20 },
    );
  });

  it("return each new item to a follower once", async () => {
    const fixture = makeFixture();
    const { transcripts, print, log } = fixture;
    await converse(fixture);
    let { cursor } = await transcripts.read("demo-1", { limit: 2 });
    const next = async (): Promise<readonly string[]> => {
      const page = await transcripts.read("demo-1", { cursor, limit: 10 });
      cursor = page.cursor;
      return page.data.map(brief);
    };
    expect(await next()).toEqual([]);
    print({ type: "say", text: "more", at: at(20) });
    expect(await next()).toEqual(["say more"]);
    await log(21, queued("m3", "and this"));
    expect(await next()).toEqual(["person: and this"]);
    expect(await next()).toEqual([]);
  });
});
