import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ReportCall, reduceAll, type Step } from "../../kit/reducer.ts";
import { parseLine } from "./events.ts";
import { readInquiry } from "./permission.ts";
import { reduceClaude } from "./reduce.ts";
import { type ClaudeNotice, type ClaudeRequest, type ClaudeState, initialState } from "./state.ts";

const recordings = new URL("../../../../test/fixtures/agents/claude/", import.meta.url);

/** What the driver makes of a line of the program. */
function printed(line: string, now = 1000): readonly ClaudeNotice[] {
  const read = parseLine(line);
  if (read.kind === "unused") return [];
  if (read.kind === "unknown") return [read];
  const { event } = read;
  return [{ kind: "event", event, inquiry: readInquiry(event, "/w"), now }];
}

/** The recording as notices; the driver's own lines became prompts or answers. */
function readRecording(name: string, answers: readonly string[] = []): readonly ClaudeNotice[] {
  const rest = [...answers];
  const lines = readFileSync(new URL(name, recordings), "utf8").trim().split("\n");
  return lines.flatMap((line): readonly ClaudeNotice[] => {
    if (line.startsWith("<")) {
      const notices = printed(line.slice(2));
      return [...notices, ...notices.flatMap((notice) => answersTo(notice, rest))];
    }
    const { type, uuid } = JSON.parse(line.slice(2)) as { readonly type: string; readonly uuid?: string };
    return type === "user" && uuid !== undefined ? [prompt(uuid, uuid)] : [];
  });
}

function answersTo(notice: ClaudeNotice, rest: string[]): readonly ClaudeNotice[] {
  if (notice.kind !== "event" || notice.inquiry === null) return [];
  return notice.inquiry.questions.map(({ id }) => answer(id, rest.shift() ?? "deny"));
}

function reduce(notices: readonly ClaudeNotice[]): Step<ClaudeState, ClaudeRequest> {
  return reduceAll(reduceClaude, initialState(null), notices);
}

const prompt = (id: string, uuid: string): ClaudeNotice => ({ kind: "prompt", prompt: { id, text: "" }, uuid });
const answer = (questionId: string, choice: string): ClaudeNotice => ({ kind: "answer", questionId, choice });
const event = (fields: object): readonly ClaudeNotice[] => printed(JSON.stringify(fields));
const saved: ClaudeNotice = { kind: "transcript-read", isSaved: true, now: 1 };
const interrupt: ClaudeNotice = { kind: "interrupt", requestId: "i1" };
const question = event({
  ...{ type: "control_request", request_id: "r1" },
  request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "make" }, tool_use_id: "q1" },
});
const canceled = event({ type: "control_cancel_request", request_id: "r1" });
const result = (fields: object): readonly ClaudeNotice[] => event({ type: "result", subtype: "success", ...fields });
const cut = result({ subtype: "error_during_execution", is_error: true });
const sent = ({ requests }: Step<ClaudeState, ClaudeRequest>): readonly unknown[] =>
  requests.flatMap((request) => (request.kind === "send" ? [request.message] : []));

describe("recorded conversations", () => {
  const named = (reports: readonly ReportCall[], name: ReportCall[0]): readonly unknown[] =>
    reports.filter((call) => call[0] === name).map((call) => call[1]);

  it.each<[string, readonly string[], readonly object[]]>([
    ["turn.txt", [], [{ kind: "finished", summary: "It is done." }]],
    ["question.txt", ["allow always", "deny"], [{ kind: "finished", summary: "over" }]],
    ["limit.txt", [], [{ kind: "limited" }]],
    ["login.txt", [], [{ kind: "failed", reason: expect.stringContaining("not logged in") }]],
    ["two-turns-2.1.197.txt", [], [{ kind: "finished" }, { kind: "finished", summary: "again" }]],
  ])("%s ends as recorded, and contains nothing unknown", (name, answers, ends) => {
    const { reports, state } = reduce(readRecording(name, answers));
    expect(named(reports, "ended")).toMatchObject(ends);
    expect(named(reports, "unknown")).toEqual([]);
    expect(state).toMatchObject({ isRunning: false, inquiries: { open: [], answers: {} } });
  });

  it("send the program what was recorded", () => {
    const answered = sent(reduce(readRecording("question.txt", ["allow always", "deny"]))).slice(1);
    expect(answered).toMatchObject([
      { response: { subtype: "success", response: { behavior: "allow", updatedPermissions: [{}] } } },
      { response: { subtype: "success", response: { behavior: "deny" } } },
    ]);
  });

  it("report usage before the end of each turn", () => {
    const { reports } = reduce(readRecording("two-turns-2.1.197.txt"));
    const order = reports.map(([name]) => name).filter((name) => name === "used" || name === "ended");
    expect(order).toEqual(["used", "ended", "used", "ended"]);
  });
});

describe("a prompt", () => {
  it.each<[string, readonly ClaudeNotice[], readonly string[]]>([
    ["is accepted when it is saved", [prompt("m1", "u1"), saved, saved], ["m1"]],
    [
      "is accepted at the end of its turn at the latest",
      [prompt("m1", "u1"), ...result({ user_message_uuids: ["u1"] })],
      ["m1"],
    ],
    ["is not accepted by the end of another turn", [prompt("m1", "u1"), ...result({ user_message_uuids: ["u0"] })], []],
    ["during a turn waits for its announcement", [prompt("m1", "u1"), saved, prompt("m2", "u2"), saved], ["m1"]],
    [
      "during a turn is accepted after its announcement",
      [
        ...[prompt("m1", "u1"), saved, prompt("m2", "u2")],
        ...event({ type: "command_lifecycle", command_uuid: "u2", state: "started" }),
        saved,
      ],
      ["m1", "m2"],
    ],
  ])("%s", (_what, notices, accepted) => {
    const { reports } = reduce(notices);
    expect(reports.flatMap((call) => (call[0] === "accepted" ? [call[1]] : []))).toEqual(accepted);
  });
});

describe("a question", () => {
  it.each<[string, readonly ClaudeNotice[], number, readonly ReportCall[0][]]>([
    [
      "is answered once, however often the answer comes",
      [...question, answer("q1", "allow"), answer("q1", "deny")],
      1,
      ["asked"],
    ],
    [
      "that the program canceled accepts no answer",
      [...question, ...canceled, answer("q1", "allow")],
      0,
      ["asked", "withdrawn"],
    ],
    ["that is canceled twice is withdrawn once", [...question, ...canceled, ...canceled], 0, ["asked", "withdrawn"]],
    ["ends with its turn", [...question, ...cut, answer("q1", "allow")], 0, ["asked", "used", "ended"]],
  ])("%s", (_what, notices, count, reports) => {
    const step = reduce(notices);
    expect(sent(step)).toHaveLength(count);
    expect(step.reports.map(([name]) => name)).toEqual(reports);
    expect(step.state.inquiries.open).toEqual([]);
  });

  it("is closed by an interrupt, and the end is an interruption", () => {
    const { reports, state } = reduce([...question, interrupt, ...canceled, ...cut]);
    expect(reports.map(([name]) => name)).toEqual(["asked", "withdrawn", "used", "ended"]);
    expect(reports.at(-1)).toEqual(["ended", { kind: "interrupted" }]);
    expect(state).toMatchObject({ isInterrupted: false, inquiries: { open: [] } });
  });
});

describe("the result of a tool", () => {
  const printedAs = (content: unknown): unknown => {
    const block = { type: "tool_result", tool_use_id: "t1", content };
    return reduce(event({ type: "user", message: { content: [block] } })).reports;
  };

  it.each([
    ["text", "out", "out"],
    ["blocks", [{ type: "text", text: "a" }, { type: "image" }, {}], "a\n[image]\n[block]"],
    ["a block whose type is not a name", [{ type: { toString: "" } }, null], "[block]\n[block]"],
  ])("is reported if it is %s", (_, content, text) => {
    expect(printedAs(content)).toEqual([["toolResult", "t1", { ok: true, text }]]);
  });
});

describe("an unknown message", () => {
  it("is reported, and nothing breaks", () => {
    const { reports } = reduce([...event({ type: "of_tomorrow" }), ...result({ result: "fine" })]);
    expect(reports).toMatchObject([
      ["unknown", { kind: "of_tomorrow" }],
      ["used", {}],
      ["ended", { kind: "finished" }],
    ]);
  });

  it.each([
    ["of a kind that ao does not know", "elicitation", {}],
    ["for a tool without a name", "can_use_tool", { input: { command: "make" } }],
  ])("is rejected if it is a request %s", (_what, subtype, fields) => {
    const step = reduce(event({ type: "control_request", request_id: "r9", request: { subtype, ...fields } }));
    expect(step.reports).toMatchObject([["unknown", { kind: `control_request ${subtype}` }]]);
    expect(sent(step)).toMatchObject([{ response: { subtype: "error", request_id: "r9" } }]);
  });
});

it("reports nothing after it is closed", () => {
  expect(reduce([prompt("m1", "u1"), { kind: "close" }, saved, ...question, ...cut]).reports).toEqual([]);
});
