import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
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

interface Bench {
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

interface BenchOptions {
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
function makeBench(options: BenchOptions = {}): Bench {
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
    const first = makeBench({ memory, brief });
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
    const second = makeBench({ memory, brief, isResumed: true });
    second.send(message("m3"));
    await second.prompted(1);
    expect(second.prompts[0]?.text).toBe("text of m3");
    await second.end();
  });

  it("is sent again with the next prompt if the vendor never got the first", async () => {
    const memory = join(tempDir(), "memory.json");
    const first = makeBench({ memory, brief });
    first.send(message("m1"));
    await first.prompted(1);
    await first.end();
    const second = makeBench({ memory, brief, isResumed: true, recall: () => ({ kind: "absent" }) });
    second.send(message("m1", { attempt: 2 }));
    await second.prompted(1);
    expect(second.prompts[0]?.text).toBe(`text of m1\n\n${brief}`);
    await second.end();
  });

  it("is left to a driver that puts it into the system prompt", async () => {
    const bench = makeBench({ brief, capabilities: { brief: true } });
    bench.send(message("m1"));
    await bench.prompted(1);
    expect(bench.prompts[0]?.text).toBe("text of m1");
    await bench.end();
  });
});

describe("the bridge", () => {
  it("confirms a message once the vendor has it, and sends the next one when the turn is over", async () => {
    const bench = makeBench();
    bench.send(message("m1"));
    bench.send(message("m2"));
    await bench.prompted(1);
    expect(bench.said().map(({ type }) => type)).toEqual(["conversation"]);
    bench.report.accepted("m1");
    expect(bench.said().at(-1)).toEqual({ type: "received", id: "m1" });
    expect(bench.prompts).toHaveLength(1);
    bench.report.ended({ kind: "finished", summary: "one" });
    await bench.prompted(2);
    expect(bench.prompts[1]).toEqual({ id: "m2", text: "text of m2" });
    expect(bench.said().at(-1)).toEqual({ type: "done", summary: "one" });
    expect(await bench.end()).toBe(0);
  });

  it.each([
    [{ resume: true }, { type: "conversation", id: "c1", resumes: true }],
    [{ resume: false }, { type: "conversation", id: "c1" }],
  ])("reports whether the conversation can be resumed: %o", async (capabilities, line) => {
    const bench = makeBench({ capabilities });
    await eventually(async () => expect(bench.said()).toEqual([line]));
    bench.report.conversation("c1", { resume: !capabilities.resume });
    expect(bench.said().at(-1)?.["resumes"]).toBe(capabilities.resume ? undefined : true);
    await bench.end();
  });

  it("sends messages during a turn, one at a time, to a vendor that accepts them", async () => {
    const bench = makeBench({ capabilities: { midTurn: true } });
    for (const id of ["m1", "m2", "m3"]) bench.send(message(id));
    await bench.prompted(1);
    bench.report.accepted("m1");
    await bench.prompted(2);
    bench.report.accepted("m2");
    await bench.prompted(3);
    bench.report.ended({ kind: "finished", summary: "two of them" });
    bench.report.accepted("m3");
    bench.report.ended({ kind: "finished", summary: "the third" });
    const rest = bench.said().slice(1);
    expect(rest.map(({ id, summary }) => id ?? summary)).toEqual(["m1", "m2", "two of them", "m3", "the third"]);
    await bench.end();
  });

  it("treats a prompt as confirmed when its turn is over", async () => {
    const bench = makeBench();
    bench.send(message("m1"));
    await bench.prompted(1);
    bench.report.ended({ kind: "failed", reason: "refused" });
    expect(bench.said().slice(1)).toEqual([
      { type: "received", id: "m1" },
      { type: "done", summary: "refused" },
      { type: "status", state: "errored", note: "refused" },
    ]);
    await bench.end();
  });

  it("puts the reason of a denial into the next prompt if the denial cannot carry it", async () => {
    const bench = makeBench({ capabilities: { reasons: false } });
    bench.send({ type: "task", id: "m1", text: "go" });
    await bench.prompted(1);
    bench.report.accepted("m1");
    const question = { kind: "permission", question: "It wants to run:", choices: ["allow", "deny"] } as const;
    for (const id of ["q1", "q2"]) bench.report.asked({ ...question, id });
    bench.send({ type: "answer", id: "q1", choice: "deny" });
    bench.send({ type: "answer", id: "q2", choice: "use sed instead" });
    await eventually(async () => expect(bench.answers.map(([id]) => id)).toEqual(["q1", "q2"]));
    bench.report.ended({ kind: "finished", summary: "done" });
    await bench.prompted(2);
    expect(bench.prompts[1]).toEqual({
      id: "q2.reason",
      text: 'The user denied your request "It wants to run:" and said why:\n\nuse sed instead',
    });
    await bench.end();
  });

  it("returns a shortened choice in its full form", async () => {
    const bench = makeBench();
    const long = "a".repeat(600);
    await eventually(async () =>
      bench.report.asked({ id: "q1", kind: "question", question: "?", choices: ["b", long] }),
    );
    const [, offered = ""] = fitAsked(completeAsked({ question: "?", choices: ["b", long] })).choices;
    expect(offered.length).toBe(500);
    bench.send({ type: "answer", id: "q1", choice: offered });
    await eventually(async () => expect(bench.answers).toEqual([["q1", long]]));
    await bench.end();
  });

  it("asks one question at a time and holds messages until all are answered", async () => {
    const bench = makeBench({ capabilities: { midTurn: true } });
    bench.send(message("m1"));
    await bench.prompted(1);
    const question = (id: string): void =>
      bench.report.asked({ id, kind: "permission", question: id, choices: ["yes"] });
    for (const id of ["q1", "q2", "q3"]) question(id);
    bench.report.accepted("m1");
    bench.send(message("m2"));
    bench.send({ type: "answer", id: "q2", choice: "too early" });
    bench.send({ type: "answer", id: "q1", choice: "yes" });
    await eventually(async () => expect(bench.answers).toEqual([["q1", "yes"]]));
    bench.report.withdrawn("q2");
    expect(bench.prompts).toHaveLength(1);
    bench.send({ type: "answer", id: "q3", choice: "no" });
    await bench.prompted(2);
    expect(bench.answers).toEqual([
      ["q1", "yes"],
      ["q3", "no"],
    ]);
    const asked = bench.said().filter(({ type }) => type === "ask");
    expect(asked.map(({ id, kind }) => [id, kind])).toEqual(["q1", "q2", "q3"].map((id) => [id, "permission"]));
    expect(bench.said().filter(({ type }) => type === "status")).toHaveLength(1);
    await bench.end();
  });

  it("continues from the totals of a version that did not count cached tokens", async () => {
    const memory = join(tempDir(), "memory.json");
    const told = { inputTokens: 5, outputTokens: 2, costUsd: 0 };
    writeFileSync(
      memory,
      JSON.stringify({ version: 1, conversation: "c1", mark: null, told, notes: {}, messages: [] }),
    );
    const bench = makeBench({ memory });
    await eventually(async () => expect(bench.said().map(({ type }) => type)).toContain("conversation"));
    bench.report.usedInAll({ inputTokens: 7, cachedTokens: 4, outputTokens: 3, costUsd: 0, model: null });
    const rest = { inputTokens: 2, cachedTokens: 2, outputTokens: 1, costUsd: 0 };
    expect(bench.said().at(-1)).toEqual({ type: "usage", ...rest });
    await bench.end();
  });

  it("keeps a rate-limited turn open, and continues when the limit is over", async () => {
    const bench = makeBench();
    bench.send(message("m1"));
    await bench.prompted(1);
    bench.report.accepted("m1");
    bench.report.asked({
      id: "q9",
      kind: "permission",
      question: "May I?",
      choices: [],
      descriptions: {},
      freeText: true,
    });
    bench.report.ended({ kind: "limited", until: new Date(0), reason: "slow down" });
    // A rate limit alone does not mean that the question is withdrawn.
    expect(bench.said().at(-2)).toEqual({ type: "unask", id: "q9" });
    expect(bench.said().at(-1)).toMatchObject({ state: "rate-limited", note: "slow down" });
    await bench.prompted(2);
    expect(bench.prompts[1]).toMatchObject({ id: "m1.go-on-1", text: expect.stringContaining("limit") });
    bench.report.ended({ kind: "finished", summary: "did it" });
    expect(bench.said().filter(({ type }) => type === "done")).toEqual([{ type: "done", summary: "did it" }]);
    await bench.end();
  });

  it("reports new work at once, and its steps once a second", async () => {
    const bench = makeBench();
    await eventually(async () => expect(bench.opened).toHaveLength(1));
    for (const end of ["first", "second"]) {
      bench.report.working("a person asked");
      bench.report.working("another step");
      bench.report.ended({ kind: "finished", summary: end });
    }
    const working = { type: "status", state: "working", note: "a person asked" };
    expect(bench.said().slice(1)).toEqual([
      working,
      { type: "done", summary: "first" },
      working,
      { type: "done", summary: "second" },
    ]);
    await bench.end();
  });

  it("sends the next message if a resumed turn ended before its prompt was confirmed", async () => {
    const recall = (id: string): Recall => (id === "m1" ? { kind: "taken", answer: null } : { kind: "absent" });
    const bench = makeBench({ recall, isResumed: true });
    bench.send({ ...message("m1"), type: "resume" });
    await bench.prompted(1);
    bench.report.ended({ kind: "finished", summary: "went on" });
    bench.report.accepted(bench.prompts[0]?.id ?? "");
    bench.send(message("m2"));
    await bench.prompted(2);
    expect(bench.prompts[1]?.id).toBe("m2");
    await bench.end();
  });

  it("sends a message to a rate-limited agent, and an interrupt ends the pause", async () => {
    const bench = makeBench();
    bench.send(message("m1"));
    await bench.prompted(1);
    bench.report.ended({ kind: "limited", until: null, reason: "slow down" });
    bench.send(message("m2"));
    await bench.prompted(2);
    expect(bench.prompts[1]?.id).toBe("m2");
    bench.report.ended({ kind: "limited", until: null, reason: "still" });
    expect(bench.said().filter(({ type }) => type === "received")).toHaveLength(2);
    bench.send({ type: "interrupt", id: "i1" });
    await eventually(async () => expect(bench.said().at(-1)).toEqual({ type: "done", summary: "interrupted" }));
    await bench.end();
  });

  it("does not interrupt a program between turns, and puts what follows an interrupt into the next turn", async () => {
    let interrupts = 0;
    const bench = makeBench({ capabilities: { midTurn: true }, interrupt: () => void interrupts++ });
    bench.send({ type: "interrupt", id: "i1" });
    bench.send(message("m1"));
    await bench.prompted(1);
    bench.report.accepted("m1");
    expect(interrupts).toBe(0);
    bench.send({ type: "interrupt", id: "i2" });
    bench.send(message("m2"));
    await eventually(async () => expect(interrupts).toBe(1));
    expect(bench.prompts).toHaveLength(1);
    bench.report.ended({ kind: "interrupted" });
    await bench.prompted(2);
    expect(bench.prompts[1]?.id).toBe("m2");
    await bench.end();
  });

  it("interrupts the turn of a message that arrived before the program was open", async () => {
    let open = (): void => undefined;
    const opening = new Promise<void>((resolve) => {
      open = resolve;
    });
    const bench = makeBench({ open: () => opening });
    bench.send(message("m1"));
    bench.send({ type: "interrupt", id: "i1" });
    bench.send(message("m2"));
    await eventually(async () => expect(bench.opened).toHaveLength(1));
    open();
    await bench.prompted(1);
    bench.report.accepted("m1");
    expect(bench.said().slice(1, 3)).toEqual([
      { type: "received", id: "m1" },
      { type: "done", summary: "interrupted" },
    ]);
    await bench.prompted(2);
    bench.report.accepted("m2");
    bench.report.ended({ kind: "finished", summary: "second" });
    expect(bench.said().at(-1)).toEqual({ type: "done", summary: "second" });
    await bench.end();
  });

  it("interrupts, reports limits, counts totals once, and never prints output as protocol", async () => {
    const bench = makeBench();
    bench.send(message("m1"));
    await bench.prompted(1);
    bench.report.accepted("m1");
    const total = { inputTokens: 5, cachedTokens: 3, outputTokens: 2, costUsd: 0.5, model: "gpt-5" };
    bench.report.usedInAll(total);
    bench.report.usedInAll(total);
    bench.report.usedInAll({ ...total, outputTokens: 3, model: null });
    bench.report.limited(new Date(0), "slow down");
    bench.report.said('{"type":"done"}\n\u001b[31mred\u001b[0m');
    bench.send({ type: "interrupt", id: "i1" });
    await eventually(async () => expect(bench.said().at(-1)).toEqual({ type: "done", summary: "interrupted" }));
    expect(bench.said().slice(2, -1)).toEqual([
      { type: "usage", ...total },
      { type: "usage", inputTokens: 0, cachedTokens: 0, outputTokens: 1, costUsd: 0 },
      { type: "status", state: "rate-limited", until: "1970-01-01T00:00:00.000Z", note: "slow down" },
    ]);
    expect(toldOf(bench.lines)).toEqual(['say: {"type":"done"}\nred']);
    await bench.end();
  });

  it("exits with an error when the program is gone or does not open", async () => {
    const gone = makeBench();
    await eventually(async () => expect(gone.opened).toEqual([null]));
    gone.report.gone("it was killed");
    expect(await gone.over).toBe(1);
    expect(gone.complaints).toEqual(["it was killed"]);
    const broken = makeBench({ open: () => Promise.reject(new Error("no such program")) });
    expect(await broken.over).toBe(1);
    expect(broken.said().at(-1)).toEqual({ type: "status", state: "errored", note: "no such program" });
  });
});

/** Dies after a prompt was given, confirmed or ended, and returns the memory that is left. */
async function die(at: "given" | "accepted" | "ended"): Promise<string> {
  const memory = join(tempDir(), "memory.json");
  const bench = makeBench({ memory });
  bench.send(message("m1"));
  await bench.prompted(1);
  if (at !== "given") bench.report.accepted("m1");
  if (at === "ended") bench.report.ended({ kind: "finished", summary: "words" });
  bench.report.gone("killed");
  await bench.over;
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
  ] as const)("when the message was %s goes on without giving it again", async (at, line, recalled) => {
    const memory = await die(at);
    const bench = makeBench({ memory, isResumed: true, ...(recalled && { recall: () => recalled }) });
    bench.send(line);
    await bench.prompted(1);
    expect(bench.opened).toEqual(["c1"]);
    expect(bench.prompts[0]).toMatchObject({ id: "m1.go-on-1", text: expect.stringContaining("go on") });
    expect(bench.said().at(-1)).toEqual({ type: "received", id: "m1" });
    bench.report.accepted("m1.go-on-1");
    bench.report.ended({ kind: "finished", summary: "at last" });
    expect(bench.said().at(-1)).toEqual({ type: "done", summary: "at last" });
    await bench.end();
  });

  it.each([
    ["given", repeated, undefined],
    ["accepted", resumed, { kind: "absent" }],
  ] as const)("when it was %s and the vendor does not have it gives it again", async (at, line, recalled) => {
    const memory = await die(at);
    const bench = makeBench({ memory, isResumed: true, ...(recalled && { recall: () => recalled }) });
    bench.send(line);
    await bench.prompted(1);
    expect(bench.prompts).toEqual([{ id: "m1", text: "text of m1" }]);
    bench.report.accepted("m1");
    expect(bench.said().at(-1)).toEqual({ type: "received", id: "m1" });
    await bench.end();
  });

  it.each([
    ["ended", resumed, undefined],
    ["ended", repeated, { kind: "absent" }],
    ["accepted", resumed, { kind: "taken", answer: "words" }],
  ] as const)("when its turn was over (%s) tells the end again and gives nothing", async (at, line, recalled) => {
    const memory = await die(at);
    const recall = (id: string): Recall => (id === "m1" ? (recalled ?? { kind: "unknown" }) : { kind: "absent" });
    const bench = makeBench({ memory, isResumed: true, recall });
    bench.send(line);
    await eventually(async () => expect(bench.said().at(-1)).toEqual({ type: "done", summary: "words" }));
    expect(bench.prompts).toEqual([]);
    bench.send(message("m2"));
    await bench.prompted(1);
    await bench.end();
  });

  it("lets a vendor that continues by itself do so, and only confirms messages of the same turn", async () => {
    const memory = await die("accepted");
    const taken = { kind: "taken", answer: null } as const;
    const bench = makeBench({
      memory,
      isResumed: true,
      capabilities: { midTurn: true, continues: true },
      recall: () => taken,
    });
    bench.send(resumed);
    bench.send(message("m2", { attempt: 2 }));
    await eventually(async () => expect(bench.said().at(-1)).toEqual({ type: "received", id: "m2" }));
    expect(bench.prompts).toEqual([]);
    bench.report.ended({ kind: "finished", summary: "both" });
    expect(bench.said().at(-1)).toEqual({ type: "done", summary: "both" });
    await bench.end();
  });

  it("does not start without its memory", () => {
    const path = join(tempDir(), "memory.json");
    expect(() => openMemory(path)).not.toThrow();
    expect(() => openMemory(tempDir())).toThrow(/cannot be read/);
  });
});
