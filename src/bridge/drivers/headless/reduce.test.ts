import { describe, expect, it } from "vitest";
import { reduceAll, step } from "../../kit/reducer.ts";
import type { Output } from "./dialect.ts";
import {
  createHeadlessReducer,
  type HeadlessNotice,
  type HeadlessRequest,
  type HeadlessState,
  NO_TURN,
} from "./reduce.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

/** A program that prints its words, and `ok` when it has the prompt. */
const echo: Output<string> = {
  begin: (promptId) => promptId,
  line: (promptId, text) => step(promptId, text === "ok" ? [["accepted", promptId]] : [["said", text]]),
  exit: (_, { code }) => [["ended", { kind: "finished", summary: `code ${code}` }]],
};

const reduce = createHeadlessReducer({ title: "Echo", command: ["echo"], output: echo });
const run = (...notices: readonly HeadlessNotice[]) =>
  reduceAll<HeadlessState<string>, HeadlessNotice, HeadlessRequest>(reduce, NO_TURN, notices);

const prompt = { kind: "prompt", prompt: { id: "m1", text: "Go." } } as const;
const line = (text: string): HeadlessNotice => ({ kind: "line", text, now: NOW });
const interrupt = { kind: "interrupt" } as const;
const exited = (code: number | null, more: object = {}): HeadlessNotice => ({
  ...{ kind: "exited", end: { how: code === null ? "ended by SIGKILL" : `exit code ${code}`, code, stderr: "" } },
  ...{ wasStarted: true, now: NOW, ...more },
});

describe("a program that runs once per turn", () => {
  it("starts for a prompt, and its exit ends the turn", () => {
    const { state, reports, requests } = run(prompt, line("ok"), line("Hello."), exited(0));
    expect(requests).toEqual([{ kind: "start", prompt: prompt.prompt }]);
    expect(reports).toEqual([
      ["accepted", "m1"],
      ["said", "Hello."],
      ["ended", { kind: "finished", summary: "code 0" }],
    ]);
    expect(state).toEqual(NO_TURN);
  });

  it("accepts a prompt once, by its records or its output", () => {
    const accepted = [["accepted", "m1"]];
    expect(run(prompt, { kind: "recorded" }, line("ok"), { kind: "recorded" }).reports).toEqual(accepted);
    expect(run(prompt, line("ok"), line("ok"), { kind: "recorded" }).reports).toEqual(accepted);
  });

  it("is stopped by an interrupt, which ends the turn once none of its processes runs", () => {
    const stopped = run(prompt, interrupt, line("late words"), exited(null));
    expect(stopped.requests.slice(1)).toEqual([{ kind: "stop" }, { kind: "end-leftovers" }]);
    expect(stopped.reports).toEqual([]);
    const over = run(prompt, interrupt, exited(143), { kind: "leftovers-ended" });
    expect(over.reports).toEqual([["ended", { kind: "interrupted" }]]);
    expect(over.state).toEqual(NO_TURN);
  });

  it("has finished if it exits with 0 despite an interrupt", () => {
    expect(run(prompt, interrupt, exited(0)).reports).toEqual([["ended", { kind: "finished", summary: "code 0" }]]);
  });

  it.each([
    ["was killed", exited(null), ["gone", "Echo (echo) is gone: ended by SIGKILL"]],
    ["was killed behind a shell", exited(137), ["gone", "Echo (echo) is gone: exit code 137"]],
    [
      "could not be started",
      exited(null, { wasStarted: false, end: { how: "could not be started: ENOENT", code: null, stderr: "" } }),
      ["ended", { kind: "failed", reason: "Echo (echo) is gone: could not be started: ENOENT" }],
    ],
  ])("that %s is reported as such", (_, end, report) => {
    expect(run(prompt, end).reports).toEqual([report]);
  });

  it("reports nothing after it is closed", () => {
    const { reports, requests } = run(prompt, { kind: "close" }, line("late"), exited(null));
    expect([reports, requests.slice(1)]).toEqual([[], [{ kind: "stop" }]]);
  });

  it.each([interrupt, line("words"), exited(1), { kind: "recorded" } as const])(
    "ignores %j between turns",
    (notice) => {
      expect(run(notice)).toEqual(step(NO_TURN));
    },
  );
});
