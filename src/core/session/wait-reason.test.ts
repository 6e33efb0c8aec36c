import { expect, it } from "vitest";
import { aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import type { SessionState } from "./state.ts";
import { deriveWaitReason } from "./wait-reason.ts";

const running = { paused: false };

it.each<[string, RegExp, boolean, SessionState]>([
  ["a question", /waits for an answer to its question; ao answer /, true, aSession({ question: aQuestion() })],
  ["no free slot", /waiting for a slot/, true, aSession({ phase: "queued" })],
  ["a lost workspace", /gone/, true, aSession({ workspace: { state: "missing" } })],
  ["a start", /starting the agent/, false, aSession({ run: { state: "starting" } })],
  ["a workspace", /creating worktree/, false, aSession({ workspace: { state: "creating" }, run: { state: "none" } })],
  ["an earlier message", /earlier message/, false, aSession({ input: "file" })],
])("a queued message waits for %s", (_what, text, lasts, session) => {
  expect(deriveWaitReason(session, aMessage(), running)).toEqual({ text: expect.stringMatching(text), lasts });
});

it("a pause comes before any other reason except the message's own", () => {
  const session = aSession({ question: aQuestion() });
  expect(deriveWaitReason(session, aMessage(), { paused: true })?.text).toContain("ao resume");
  const held = aMessage({ reason: "A person is typing in the terminal." });
  expect(deriveWaitReason(session, held, { paused: true })?.text).toBe("A person is typing in the terminal.");
});

it("a message that the agent has waits for the agent's own reason", () => {
  const written = aMessage({ status: "written", reason: "A person is typing in the terminal." });
  expect(deriveWaitReason(aSession(), written, running)).toEqual({ text: written.reason, lasts: true });
  expect(deriveWaitReason(aSession(), { ...written, reason: null }, running)).toBeNull();
});

it("an answer does not wait for the question that it answers", () => {
  const session = aSession({ question: aQuestion() });
  expect(deriveWaitReason(session, aMessage({ kind: "answer" }), running)).toBeNull();
});

it("nothing holds an interrupt back", () => {
  const session = aSession({ question: aQuestion() });
  expect(deriveWaitReason(session, aMessage({ kind: "interrupt" }), { paused: true })).toBeNull();
});

it("nothing holds a message that is on its way, or that a line-protocol agent can take", () => {
  expect(deriveWaitReason(aSession(), aMessage(), running)).toBeNull();
  expect(deriveWaitReason(aSession({ phase: "queued" }), aMessage({ status: "written" }), running)).toBeNull();
});
