import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentSignal } from "./agent-signal.ts";
import { decodeMessage, decodeSignal, encodeMessage, encodeSignal, type LinesMessage } from "./lines-protocol.ts";

describe("a signal from an agent", () => {
  it.each<[string, AgentSignal]>([
    ['{"type":"status","state":"idle"}', { kind: "status", state: "idle", note: null }],
    ['{"type":"status","state":"waiting","note":"n"}', { kind: "status", state: "waiting", note: "n" }],
    [
      '{"type":"status","state":"rate-limited","until":"2026-11-15T12:00:00.000Z","note":"429"}',
      { kind: "limited", until: Date.UTC(2026, 10, 15, 12), reason: "429" },
    ],
    ['{"type":"status","state":"rate-limited","until":"soon"}', { kind: "limited", until: null, reason: "" }],
    ['{"type":"status","state":"errored","note":"401"}', { kind: "errored", reason: "401" }],
    ['{"type":"refused","host":"evil.example"}', { kind: "refused", host: "evil.example" }],
    ['{"type":"read-only","path":"/root/.npm"}', { kind: "read-only", path: "/root/.npm" }],
    ['{"type":"conversation","id":"c-1"}', { kind: "conversation", id: "c-1" }],
    ['{"type":"conversation","id":"c-1","resumes":true}', { kind: "conversation", id: "c-1", resumes: true }],
    ['{"type":"conversation","id":"c-1","resumes":"no"}', { kind: "conversation", id: "c-1" }],
    [
      '{"type":"ask","id":"q","question":"Sure?","choices":["y","n"]}',
      { kind: "asked", id: "q", question: "Sure?", choices: ["y", "n"] },
    ],
    ['{"type":"ask","id":"q","question":"Sure?"}', { kind: "asked", id: "q", question: "Sure?", choices: [] }],
    [
      '{"type":"ask","id":"q","kind":"permission","question":"Run?","detail":{"format":"command","text":"a\\nb"},"choices":["y"],"descriptions":{"y":"once","n":1},"freeText":true}',
      {
        ...{ kind: "asked", id: "q", about: "permission", question: "Run?", choices: ["y"], freeText: true },
        ...{ detail: { format: "command", text: "a\nb" }, descriptions: { y: "once" } },
      },
    ],
    [
      '{"type":"ask","id":"q","kind":"riddle","question":"Run?","detail":"a\\nb","descriptions":[],"freeText":"no"}',
      { kind: "asked", id: "q", question: "Run?", choices: [], detail: { format: "text", text: "a\nb" } },
    ],
    [
      '{"type":"ask","id":"q","question":"Run?","detail":{"tool":"rm"}}',
      {
        kind: "asked",
        id: "q",
        question: "Run?",
        choices: [],
        detail: { format: "text", text: '{\n  "tool": "rm"\n}' },
      },
    ],
    ['{"type":"unask","id":"q"}', { kind: "unasked", id: "q" }],
    ['{"type":"held","id":"m","reason":"busy"}', { kind: "held", id: "m", reason: "busy" }],
    [
      '{"type":"usage","inputTokens":3,"outputTokens":4,"costUsd":0.5}',
      { kind: "usage", inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
    ],
    [
      '{"type":"usage","inputTokens":3,"cachedTokens":2,"model":"gpt-5"}',
      { kind: "usage", inputTokens: 3, cachedTokens: 2, outputTokens: 0, costUsd: 0, model: "gpt-5" },
    ],
    [
      '{"type":"usage","inputTokens":3,"cachedTokens":"some","model":null}',
      { kind: "usage", inputTokens: 3, outputTokens: 0, costUsd: 0 },
    ],
    ['{"type":"usage"}', { kind: "usage", inputTokens: 0, outputTokens: 0, costUsd: 0 }],
    [
      '{"type":"windows","windows":[{"name":"5 h","usedPercent":31.5,"resetsAt":"2026-11-15T18:00:00Z"},{"name":"","usedPercent":1},7]}',
      {
        kind: "windows",
        windows: [{ name: "5 h", usedPercent: 31.5, resetsAt: Date.parse("2026-11-15T18:00:00Z") }],
      },
    ],
    [
      '{"type":"windows","windows":[{"name":"day","usedPercent":140,"resetsAt":"soon"}]}',
      { kind: "windows", windows: [{ name: "day", usedPercent: 100, resetsAt: null }] },
    ],
    ['{"type":"received","id":"m1","more":1}', { kind: "received", id: "m1" }],
    ['{"type":"done"}', { kind: "done", summary: "" }],
    ['{"type":"done","summary":"all"}', { kind: "done", summary: "all" }],
  ])("is decoded from %s", (line, signal) => {
    expect(decodeSignal(line)).toEqual(signal);
  });

  it.each([
    '{"type":"usage","inputTokens":-1}',
    '{"type":"usage","inputTokens":null}',
    '{"type":"usage","costUsd":"much"}',
    '{"type":"usage","costUsd":1e999}',
    '{"type":"windows","windows":{}}',
    '{"type":"status","state":"flying"}',
    '{"type":"status","state":"idle","note":null}',
    '{"type":"ask","id":"","question":"Sure?"}',
    '{"type":"ask","id":"q"}',
    '{"type":"ask","id":"q","question":"Sure?","choices":null}',
    '{"type":"ask","id":"q","question":"Sure?","choices":[1]}',
    '{"type":"received","id":""}',
    '{"type":"done","summary":null}',
    '{"type":"done","summary":7}',
    '{"type":"task","id":"m","text":"t"}',
    ' {"type":"done"}',
  ])("is only output in %s", (line) => {
    expect(decodeSignal(line)).toBeNull();
  });

  it("is only output in a line above 1 MiB", () => {
    const line = (length: number): string => `{"type":"done","summary":"${"x".repeat(length - 28)}"}`;
    expect(line(1024 * 1024)).toHaveLength(1024 * 1024);
    expect(decodeSignal(line(1024 * 1024))?.kind).toBe("done");
    expect(decodeSignal(line(1024 * 1024 + 1))).toBeNull();
  });

  it("has no time if a vendor's time is impossible", () => {
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      const limited = decodeSignal(encodeSignal({ kind: "limited", until: at, reason: "full" }));
      expect(limited).toEqual({ kind: "limited", until: null, reason: "full" });
      const windows = [{ name: "5 h", usedPercent: 60, resetsAt: at }];
      const decoded = decodeSignal(encodeSignal({ kind: "windows", windows }));
      expect(decoded).toEqual({ kind: "windows", windows: [{ ...windows[0], resetsAt: null }] });
    }
  });

  it("is encoded in the form in which it is decoded", () => {
    const count = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    const id = fc.string({ minLength: 1 });
    const signal: fc.Arbitrary<AgentSignal> = fc.oneof(
      fc.record({
        kind: fc.constant("status" as const),
        state: fc.constantFrom("working" as const, "idle" as const, "waiting" as const),
        note: fc.option(fc.string()),
      }),
      fc.record(
        {
          kind: fc.constant("asked" as const),
          id,
          question: fc.string(),
          choices: fc.array(fc.string()),
          about: fc.constantFrom("permission" as const, "question" as const),
          detail: fc.record({ format: fc.constantFrom("command" as const, "diff" as const), text: fc.string() }),
          descriptions: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
          freeText: fc.boolean(),
        },
        { requiredKeys: ["kind", "id", "question", "choices"] },
      ),
      fc.record({ kind: fc.constant("usage" as const), inputTokens: count, outputTokens: count, costUsd: count }),
      fc.record({ kind: fc.constant("received" as const), id }),
      fc.record({ kind: fc.constant("done" as const), summary: fc.string() }),
    );
    fc.assert(
      fc.property(signal, (said) => {
        const line = encodeSignal(said);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(decodeSignal(line.slice(0, -1))).toEqual(said);
      }),
    );
  });
});

describe("a message to an agent", () => {
  it("names the question that an answer belongs to", () => {
    const line = encodeMessage({ id: "q1", kind: "answer", text: "yes", attempt: 1 });
    expect(JSON.parse(line)).toEqual({ type: "answer", id: "q1", choice: "yes" });
  });

  it("contains nothing else for an interrupt", () => {
    const line = encodeMessage({ id: "i1", kind: "interrupt", text: "", attempt: 1 });
    expect(line).toBe('{"type":"interrupt","id":"i1"}\n');
    expect(decodeMessage(line)).toEqual({ id: "i1", kind: "interrupt", text: "", attempt: 1 });
  });

  it("has the attempt only if it is repeated", () => {
    const message = { id: "m", kind: "message", text: "t" } as const;
    expect(JSON.parse(encodeMessage({ ...message, attempt: 1 }))).toEqual({ type: "message", id: "m", text: "t" });
    expect(JSON.parse(encodeMessage({ ...message, attempt: 2 }))).toEqual({
      type: "message",
      id: "m",
      text: "t",
      attempt: 2,
    });
  });

  it("is decoded in the form in which it is encoded", () => {
    const message: fc.Arbitrary<LinesMessage> = fc.record({
      id: fc.string({ minLength: 1 }),
      kind: fc.constantFrom("task" as const, "message" as const, "answer" as const, "resume" as const),
      text: fc.string({ unit: "binary" }),
      attempt: fc.integer({ min: 1 }),
    });
    fc.assert(
      fc.property(message, (sent) => {
        const line = encodeMessage(sent);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(decodeMessage(line.slice(0, -1))).toEqual(sent);
      }),
    );
  });

  it.each([
    "",
    "plain",
    "null",
    '{"type":"task","id":"m"}',
    '{"type":"task","id":"","text":"t"}',
    '{"type":"answer","id":"q","text":"t"}',
    '{"type":"message","id":"m","text":"t","attempt":0}',
    '{"type":"message","id":"m","text":"t","attempt":1.5}',
    '{"type":"interrupt"}',
    '{"type":"done"}',
  ])("is not in %s", (line) => {
    expect(decodeMessage(line)).toBeNull();
  });
});

describe("any line at all", () => {
  it("is decoded without an error", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc
        .record({ type: fc.constantFrom("status", "ask", "usage", "received", "done", "task"), id: fc.jsonValue() })
        .map((fields) => JSON.stringify(fields)),
      fc.nat(5000).map((depth) => `{"type":"done","summary":${"[".repeat(depth)}`),
    );
    fc.assert(
      fc.property(line, (text) => {
        decodeSignal(text);
        decodeMessage(text);
      }),
    );
  });
});
