import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { completeAsked, fitAsked } from "../core/question.ts";
import { eventually } from "../testing/eventually.ts";
import { tempDir } from "../testing/temp.ts";
import { signalsOf, toldOf } from "../testing/transcript-lines.ts";
import { runBridge } from "./bridge.ts";
import {
  type Capabilities,
  type Driver,
  type DriverSetup,
  NO_CAPABILITIES,
  type Prompt,
  type Recall,
} from "./driver.ts";
import { openMemory } from "./memory.ts";

const CAPABILITIES: Capabilities = { ...NO_CAPABILITIES, resume: true, reasons: true };

interface Fixture {
  readonly prompts: readonly Prompt[];
  readonly answers: readonly (readonly [string, string])[];
  readonly opened: readonly (string | null)[];
  readonly report: DriverSetup["report"];
  readonly complaints: readonly string[];
  send(message: object): void;
  /** The protocol lines, parsed. */
  said(): readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly string[];
  prompted(count: number): Promise<void>;
  end(): Promise<number>;
  readonly over: Promise<number>;
}

interface FixtureOptions {
  readonly memory?: string;
  readonly capabilities?: Partial<Capabilities>;
  readonly recall?: (id: string) => Recall;
  readonly open?: () => Promise<void>;
  readonly isResumed?: boolean;
  readonly brief?: string;
  /** Called instead of ending the turn. */
  readonly interrupt?: () => void;
}

/** A bridge with a driver whose vendor does what the test tells it to. */
function makeFixture(options: FixtureOptions = {}): Fixture {
  const dir = tempDir();
  const input = new PassThrough();
  const [prompts, answers, opened]: [Prompt[], [string, string][], (string | null)[]] = [[], [], []];
  const [lines, complaints]: [string[], string[]] = [[], []];
  let report: DriverSetup["report"] | null = null;
  const { recall } = options;
  const createDriver = (setup: DriverSetup): Driver => {
    report = setup.report;
    return {
      capabilities: { ...CAPABILITIES, ...options.capabilities },
      open: async (conversation) => {
        opened.push(conversation);
        setup.report.conversation(conversation ?? "c1");
        await options.open?.();
      },
      ...(recall === undefined ? {} : { recall: async (id: string) => recall(id) }),
      prompt: (prompt) => void prompts.push(prompt),
      answer: (id, choice) => void answers.push([id, choice]),
      interrupt: options.interrupt ?? (() => setup.report.ended({ kind: "interrupted" })),
      close: async () => undefined,
    };
  };
  const over = runBridge({
    createDriver,
    settings: {},
    cwd: dir,
    env: options.isResumed === true ? { AO_RESUME: "1" } : {},
    folder: dir,
    brief: options.brief === undefined ? null : { path: join(dir, "brief.md"), text: options.brief },
    memory: openMemory(options.memory ?? join(dir, "memory.json")),
    input,
    write: (text) => void lines.push(...text.trimEnd().split("\n")),
    complain: (text) => void complaints.push(text),
    stop: new Promise(() => undefined),
  });
  return {
    prompts,
    answers,
    opened,
    complaints,
    lines,
    get report() {
      if (report === null) throw new Error("not opened yet");
      return report;
    },
    send: (message) => void input.write(`${JSON.stringify(message)}\n`),
    said: () => signalsOf(lines),
    prompted: (count) => eventually(async () => expect(prompts).toHaveLength(count)),
    end: () => {
      input.end();
      return over;
    },
    over,
  };
}

function message(id: string, more: object = {}): object {
  return { type: "message", id, text: `text of ${id}`, ...more };
}

describe("the brief", () => {
  const brief = "# Workspace\n";

  it("follows the first prompt of a conversation and no other, even after a restart", async () => {
    const memory = join(tempDir(), "memory.json");
    const first = makeFixture({ memory, brief });
    first.send(message("m1"));
    await first.prompted(1);
    first.report.accepted("m1");
    first.report.ended({ kind: "finished", summary: "one" });
    first.send(message("m2"));
    await first.prompted(2);
    expect(first.prompts.map(({ text }) => text)).toEqual([`text of m1\n\n${brief}`, "text of m2"]);
    first.report.accepted("m2");
    first.report.ended({ kind: "finished", summary: "two" });
    await first.end();
    const second = makeFixture({ memory, brief, isResumed: true });
    second.send(message("m3"));
    await second.prompted(1);
    expect(second.prompts[0]?.text).toBe("text of m3");
    await second.end();
  });

  it("is sent again with the next prompt if the vendor never got the first", async () => {
    const memory = join(tempDir(), "memory.json");
    const first = makeFixture({ memory, brief });
    first.send(message("m1"));
    await first.prompted(1);
    await first.end();
    const second = makeFixture({ memory, brief, isResumed: true, recall: () => ({ kind: "absent" }) });
    second.send(message("m1", { attempt: 2 }));
    await second.prompted(1);
    expect(second.prompts[0]?.text).toBe(`text of m1\n\n${brief}`);
    await second.end();
  });

  it("is left to a driver that puts it into the system prompt", async () => {
    const fixture = makeFixture({ brief, capabilities: { brief: true } });
    fixture.send(message("m1"));
    await fixture.prompted(1);
    expect(fixture.prompts[0]?.text).toBe("text of m1");
    await fixture.end();
  });
});

describe("the bridge", () => {
  it("confirms a message once the vendor has it, and sends the next one when the turn is over", async () => {
    const fixture = makeFixture();
    fixture.send(message("m1"));
    fixture.send(message("m2"));
    await fixture.prompted(1);
    expect(fixture.said().map(({ type }) => type)).toEqual(["conversation"]);
    fixture.report.accepted("m1");
    expect(fixture.said().at(-1)).toEqual({ type: "received", id: "m1" });
    expect(fixture.prompts).toHaveLength(1);
    fixture.report.ended({ kind: "finished", summary: "one" });
    await fixture.prompted(2);
    expect(fixture.prompts[1]).toEqual({ id: "m2", text: "text of m2" });
    expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "one" });
    expect(await fixture.end()).toBe(0);
  });

  it.each([
    [{ resume: true }, { type: "conversation", id: "c1", resumes: true }],
    [{ resume: false }, { type: "conversation", id: "c1" }],
  ])("reports whether the conversation can be resumed: %o", async (capabilities, line) => {
    const fixture = makeFixture({ capabilities });
    await eventually(async () => expect(fixture.said()).toEqual([line]));
    fixture.report.conversation("c1", { resume: !capabilities.resume });
    expect(fixture.said().at(-1)?.["resumes"]).toBe(capabilities.resume ? undefined : true);
    await fixture.end();
  });

  it("sends messages during a turn, one at a time, to a vendor that accepts them", async () => {
    const fixture = makeFixture({ capabilities: { midTurn: true } });
    for (const id of ["m1", "m2", "m3"]) fixture.send(message(id));
    await fixture.prompted(1);
    fixture.report.accepted("m1");
    await fixture.prompted(2);
    fixture.report.accepted("m2");
    await fixture.prompted(3);
    fixture.report.ended({ kind: "finished", summary: "two of them" });
    fixture.report.accepted("m3");
    fixture.report.ended({ kind: "finished", summary: "the third" });
    const rest = fixture.said().slice(1);
    expect(rest.map(({ id, summary }) => id ?? summary)).toEqual(["m1", "m2", "two of them", "m3", "the third"]);
    await fixture.end();
  });

  it("treats a prompt as confirmed when its turn is over", async () => {
    const fixture = makeFixture();
    fixture.send(message("m1"));
    await fixture.prompted(1);
    fixture.report.ended({ kind: "failed", reason: "refused" });
    expect(fixture.said().slice(1)).toEqual([
      { type: "received", id: "m1" },
      { type: "done", summary: "refused" },
      { type: "status", state: "errored", note: "refused" },
    ]);
    await fixture.end();
  });

  it("puts the reason of a denial into the next prompt if the denial cannot carry it", async () => {
    const fixture = makeFixture({ capabilities: { reasons: false } });
    fixture.send({ type: "task", id: "m1", text: "go" });
    await fixture.prompted(1);
    fixture.report.accepted("m1");
    const question = { kind: "permission", question: "It wants to run:", choices: ["allow", "deny"] } as const;
    for (const id of ["q1", "q2"]) fixture.report.asked({ ...question, id });
    fixture.send({ type: "answer", id: "q1", choice: "deny" });
    fixture.send({ type: "answer", id: "q2", choice: "use sed instead" });
    await eventually(async () => expect(fixture.answers.map(([id]) => id)).toEqual(["q1", "q2"]));
    fixture.report.ended({ kind: "finished", summary: "done" });
    await fixture.prompted(2);
    expect(fixture.prompts[1]).toEqual({
      id: "q2.reason",
      text: 'The user denied your request "It wants to run:" and said why:\n\nuse sed instead',
    });
    await fixture.end();
  });

  it("returns a shortened choice in its full form", async () => {
    const fixture = makeFixture();
    const long = "a".repeat(600);
    await eventually(async () =>
      fixture.report.asked({ id: "q1", kind: "question", question: "?", choices: ["b", long] }),
    );
    const [, offered = ""] = fitAsked(completeAsked({ question: "?", choices: ["b", long] })).choices;
    expect(offered.length).toBe(500);
    fixture.send({ type: "answer", id: "q1", choice: offered });
    await eventually(async () => expect(fixture.answers).toEqual([["q1", long]]));
    await fixture.end();
  });

  it("asks one question at a time and holds messages until all are answered", async () => {
    const fixture = makeFixture({ capabilities: { midTurn: true } });
    fixture.send(message("m1"));
    await fixture.prompted(1);
    const question = (id: string): void =>
      fixture.report.asked({ id, kind: "permission", question: id, choices: ["yes"] });
    for (const id of ["q1", "q2", "q3"]) question(id);
    fixture.report.accepted("m1");
    fixture.send(message("m2"));
    fixture.send({ type: "answer", id: "q2", choice: "too early" });
    fixture.send({ type: "answer", id: "q1", choice: "yes" });
    await eventually(async () => expect(fixture.answers).toEqual([["q1", "yes"]]));
    fixture.report.withdrawn("q2");
    expect(fixture.prompts).toHaveLength(1);
    fixture.send({ type: "answer", id: "q3", choice: "no" });
    await fixture.prompted(2);
    expect(fixture.answers).toEqual([
      ["q1", "yes"],
      ["q3", "no"],
    ]);
    const asked = fixture.said().filter(({ type }) => type === "ask");
    expect(asked.map(({ id, kind }) => [id, kind])).toEqual(["q1", "q2", "q3"].map((id) => [id, "permission"]));
    expect(fixture.said().filter(({ type }) => type === "status")).toHaveLength(1);
    await fixture.end();
  });

  it("continues from the totals of a version that did not count cached tokens", async () => {
    const memory = join(tempDir(), "memory.json");
    const told = { inputTokens: 5, outputTokens: 2, costUsd: 0 };
    writeFileSync(
      memory,
      JSON.stringify({ version: 1, conversation: "c1", mark: null, told, notes: {}, messages: [] }),
    );
    const fixture = makeFixture({ memory });
    await eventually(async () => expect(fixture.said().map(({ type }) => type)).toContain("conversation"));
    fixture.report.usedInAll({ inputTokens: 7, cachedTokens: 4, outputTokens: 3, costUsd: 0, model: null });
    const rest = { inputTokens: 2, cachedTokens: 2, outputTokens: 1, costUsd: 0 };
    expect(fixture.said().at(-1)).toEqual({ type: "usage", ...rest });
    await fixture.end();
  });

  it("keeps a rate-limited turn open, and continues when the limit is over", async () => {
    const fixture = makeFixture();
    fixture.send(message("m1"));
    await fixture.prompted(1);
    fixture.report.accepted("m1");
    fixture.report.asked({
      id: "q9",
      kind: "permission",
      question: "May I?",
      choices: [],
      descriptions: {},
      freeText: true,
    });
    fixture.report.ended({ kind: "limited", until: new Date(0), reason: "slow down" });
    // A rate limit alone does not mean that the question is withdrawn.
    expect(fixture.said().at(-2)).toEqual({ type: "unask", id: "q9" });
    expect(fixture.said().at(-1)).toMatchObject({ state: "rate-limited", note: "slow down" });
    await fixture.prompted(2);
    expect(fixture.prompts[1]).toMatchObject({ id: "m1.go-on-1", text: expect.stringContaining("limit") });
    fixture.report.ended({ kind: "finished", summary: "did it" });
    expect(fixture.said().filter(({ type }) => type === "done")).toEqual([{ type: "done", summary: "did it" }]);
    await fixture.end();
  });

  it("keeps a turn open if the model service fails, and tells the agent the reason once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const fixture = makeFixture();
    fixture.send(message("m1"));
    await vi.waitFor(() => expect(fixture.prompts).toHaveLength(1));
    fixture.report.accepted("m1");
    for (const tries of [2, 3]) {
      fixture.report.ended({ kind: "unavailable", reason: "529 overloaded" });
      expect(fixture.said().at(-1)).toMatchObject({ state: "rate-limited", note: "529 overloaded", cause: "outage" });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(fixture.prompts).toHaveLength(tries);
    }
    expect(fixture.prompts.slice(1).map(({ text }) => text)).toEqual([
      expect.stringContaining("The model service failed"),
      "Continue.",
    ]);
    fixture.report.ended({ kind: "finished", summary: "did it" });
    expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "did it" });
    vi.useRealTimers();
    await fixture.end();
  });

  it("reports new work at once, and its steps once a second", async () => {
    const fixture = makeFixture();
    await eventually(async () => expect(fixture.opened).toHaveLength(1));
    for (const end of ["first", "second"]) {
      fixture.report.working("a person asked");
      fixture.report.working("another step");
      fixture.report.ended({ kind: "finished", summary: end });
    }
    const working = { type: "status", state: "working", note: "a person asked" };
    expect(fixture.said().slice(1)).toEqual([
      working,
      { type: "done", summary: "first" },
      working,
      { type: "done", summary: "second" },
    ]);
    await fixture.end();
  });

  it("sends the next message if a resumed turn ended before its prompt was confirmed", async () => {
    const recall = (id: string): Recall => (id === "m1" ? { kind: "taken", answer: null } : { kind: "absent" });
    const fixture = makeFixture({ recall, isResumed: true });
    fixture.send({ ...message("m1"), type: "resume" });
    await fixture.prompted(1);
    fixture.report.ended({ kind: "finished", summary: "went on" });
    fixture.report.accepted(fixture.prompts[0]?.id ?? "");
    fixture.send(message("m2"));
    await fixture.prompted(2);
    expect(fixture.prompts[1]?.id).toBe("m2");
    await fixture.end();
  });

  it("sends a message to a rate-limited agent, and an interrupt ends the pause", async () => {
    const fixture = makeFixture();
    fixture.send(message("m1"));
    await fixture.prompted(1);
    fixture.report.ended({ kind: "limited", until: null, reason: "slow down" });
    fixture.send(message("m2"));
    await fixture.prompted(2);
    expect(fixture.prompts[1]?.id).toBe("m2");
    fixture.report.ended({ kind: "limited", until: null, reason: "still" });
    expect(fixture.said().filter(({ type }) => type === "received")).toHaveLength(2);
    fixture.send({ type: "interrupt", id: "i1" });
    await eventually(async () => expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "interrupted" }));
    await fixture.end();
  });

  it("does not interrupt a program between turns, and puts what follows an interrupt into the next turn", async () => {
    let interrupts = 0;
    const fixture = makeFixture({ capabilities: { midTurn: true }, interrupt: () => void interrupts++ });
    fixture.send({ type: "interrupt", id: "i1" });
    fixture.send(message("m1"));
    await fixture.prompted(1);
    fixture.report.accepted("m1");
    expect(interrupts).toBe(0);
    fixture.send({ type: "interrupt", id: "i2" });
    fixture.send(message("m2"));
    await eventually(async () => expect(interrupts).toBe(1));
    expect(fixture.prompts).toHaveLength(1);
    fixture.report.ended({ kind: "interrupted" });
    await fixture.prompted(2);
    expect(fixture.prompts[1]?.id).toBe("m2");
    await fixture.end();
  });

  it("interrupts the turn of a message that arrived before the program was open", async () => {
    let open = (): void => undefined;
    const opening = new Promise<void>((resolve) => {
      open = resolve;
    });
    const fixture = makeFixture({ open: () => opening });
    fixture.send(message("m1"));
    fixture.send({ type: "interrupt", id: "i1" });
    fixture.send(message("m2"));
    await eventually(async () => expect(fixture.opened).toHaveLength(1));
    open();
    await fixture.prompted(1);
    fixture.report.accepted("m1");
    expect(fixture.said().slice(1, 3)).toEqual([
      { type: "received", id: "m1" },
      { type: "done", summary: "interrupted" },
    ]);
    await fixture.prompted(2);
    fixture.report.accepted("m2");
    fixture.report.ended({ kind: "finished", summary: "second" });
    expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "second" });
    await fixture.end();
  });

  it("interrupts, reports limits, counts totals once, and never prints output as protocol", async () => {
    const fixture = makeFixture();
    fixture.send(message("m1"));
    await fixture.prompted(1);
    fixture.report.accepted("m1");
    const total = { inputTokens: 5, cachedTokens: 3, outputTokens: 2, costUsd: 0.5, model: "gpt-5" };
    fixture.report.usedInAll(total);
    fixture.report.usedInAll(total);
    fixture.report.usedInAll({ ...total, outputTokens: 3, model: null });
    fixture.report.limited(new Date(0), "slow down");
    fixture.report.said('{"type":"done"}\n\u001b[31mred\u001b[0m');
    fixture.send({ type: "interrupt", id: "i1" });
    await eventually(async () => expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "interrupted" }));
    expect(fixture.said().slice(2, -1)).toEqual([
      { type: "usage", ...total },
      { type: "usage", inputTokens: 0, cachedTokens: 0, outputTokens: 1, costUsd: 0 },
      { type: "status", state: "rate-limited", until: "1970-01-01T00:00:00.000Z", note: "slow down" },
    ]);
    expect(toldOf(fixture.lines)).toEqual(['say: {"type":"done"}\nred']);
    await fixture.end();
  });

  it("exits with an error when the program is gone or does not open", async () => {
    const gone = makeFixture();
    await eventually(async () => expect(gone.opened).toEqual([null]));
    gone.report.gone("it was killed");
    expect(await gone.over).toBe(1);
    expect(gone.complaints).toEqual(["it was killed"]);
    const broken = makeFixture({ open: () => Promise.reject(new Error("no such program")) });
    expect(await broken.over).toBe(1);
    expect(broken.said().at(-1)).toEqual({ type: "status", state: "errored", note: "no such program" });
  });
});

/** Dies after a prompt was given, confirmed or ended, and returns the memory that is left. */
async function die(at: "given" | "accepted" | "ended"): Promise<string> {
  const memory = join(tempDir(), "memory.json");
  const fixture = makeFixture({ memory });
  fixture.send(message("m1"));
  await fixture.prompted(1);
  if (at !== "given") fixture.report.accepted("m1");
  if (at === "ended") fixture.report.ended({ kind: "finished", summary: "words" });
  fixture.report.gone("killed");
  await fixture.over;
  return memory;
}

describe("a bridge restarted after a crash", () => {
  const repeated = message("m1", { attempt: 2 });
  const resumed = { ...message("m1"), type: "resume" };

  it.each([
    ["accepted", resumed, undefined],
    ["accepted", repeated, undefined],
    ["given", repeated, { kind: "taken", answer: null }],
    ["accepted", resumed, { kind: "unknown" }],
  ] as const)("continues without resending a message that was %s", async (at, line, recalled) => {
    const memory = await die(at);
    const fixture = makeFixture({ memory, isResumed: true, ...(recalled && { recall: () => recalled }) });
    fixture.send(line);
    await fixture.prompted(1);
    expect(fixture.opened).toEqual(["c1"]);
    expect(fixture.prompts[0]).toMatchObject({ id: "m1.go-on-1", text: expect.stringContaining("then continue") });
    expect(fixture.said().at(-1)).toEqual({ type: "received", id: "m1" });
    fixture.report.accepted("m1.go-on-1");
    fixture.report.ended({ kind: "finished", summary: "at last" });
    expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "at last" });
    await fixture.end();
  });

  it.each([
    ["given", repeated, undefined],
    ["accepted", resumed, { kind: "absent" }],
  ] as const)("resends a message that was %s if the vendor does not have it", async (at, line, recalled) => {
    const memory = await die(at);
    const fixture = makeFixture({ memory, isResumed: true, ...(recalled && { recall: () => recalled }) });
    fixture.send(line);
    await fixture.prompted(1);
    expect(fixture.prompts).toEqual([{ id: "m1", text: "text of m1" }]);
    fixture.report.accepted("m1");
    expect(fixture.said().at(-1)).toEqual({ type: "received", id: "m1" });
    await fixture.end();
  });

  it.each([
    ["ended", resumed, undefined],
    ["ended", repeated, { kind: "absent" }],
    ["accepted", resumed, { kind: "taken", answer: "words" }],
  ] as const)("reports the end of a finished turn (%s) again and sends nothing", async (at, line, recalled) => {
    const memory = await die(at);
    const recall = (id: string): Recall => (id === "m1" ? (recalled ?? { kind: "unknown" }) : { kind: "absent" });
    const fixture = makeFixture({ memory, isResumed: true, recall });
    fixture.send(line);
    await eventually(async () => expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "words" }));
    expect(fixture.prompts).toEqual([]);
    fixture.send(message("m2"));
    await fixture.prompted(1);
    await fixture.end();
  });

  it("lets a vendor that continues by itself do so, and only confirms messages of the same turn", async () => {
    const memory = await die("accepted");
    const taken = { kind: "taken", answer: null } as const;
    const fixture = makeFixture({
      memory,
      isResumed: true,
      capabilities: { midTurn: true, continues: true },
      recall: () => taken,
    });
    fixture.send(resumed);
    fixture.send(message("m2", { attempt: 2 }));
    await eventually(async () => expect(fixture.said().at(-1)).toEqual({ type: "received", id: "m2" }));
    expect(fixture.prompts).toEqual([]);
    fixture.report.ended({ kind: "finished", summary: "both" });
    expect(fixture.said().at(-1)).toEqual({ type: "done", summary: "both" });
    await fixture.end();
  });

  it("does not start without its memory", () => {
    const path = join(tempDir(), "memory.json");
    expect(() => openMemory(path)).not.toThrow();
    expect(() => openMemory(tempDir())).toThrow(/cannot be read/);
  });
});
