import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setConnection } from "./connection.ts";
import { setRowNote } from "./row-notes.ts";
import { answerQuestion, interruptTurn, sendMessage } from "./session-writes.ts";

const TERN = { id: "tern-1" };

beforeEach(() => setConnection({ state: "live" }));
afterEach(() => {
  vi.unstubAllGlobals();
  setConnection({ state: "connecting" });
  setRowNote(TERN.id, null);
});

function stubDaemon(answer: () => Promise<Response>): { readonly count: () => number } {
  const fetch = vi.fn(answer);
  vi.stubGlobal("fetch", fetch);
  return { count: () => fetch.mock.calls.length };
}

const unreachable = (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));
const accepted = (): Promise<Response> => Promise.resolve(new Response("{}", { status: 200 }));

describe("a text for an agent", () => {
  it.each([
    ["message", () => sendMessage(TERN, "try again")],
    ["answer", () => answerQuestion(TERN, "q-1", "because it is slow")],
  ])("is rejected if the %s does not reach the daemon", async (_, send) => {
    stubDaemon(unreachable);
    await expect(send()).rejects.toThrow("Failed to fetch");
  });

  it.each([
    ["message", () => sendMessage(TERN, "try again")],
    ["answer", () => answerQuestion(TERN, "q-1", "because it is slow")],
  ])("is rejected without a request if the connection is lost: %s", async (_, send) => {
    const daemon = stubDaemon(accepted);
    setConnection({ state: "lost" });
    await expect(send()).rejects.toThrow("Lost connection to ao.");
    expect(daemon.count()).toBe(0);
  });

  it("is sent although another message to the same session is pending", async () => {
    const daemon = stubDaemon(accepted);
    await Promise.all([sendMessage(TERN, "first"), sendMessage(TERN, "second")]);
    expect(daemon.count()).toBe(2);
  });

  it("is one answer if it is given twice at once, and both fail together", async () => {
    const daemon = stubDaemon(unreachable);
    const results = await Promise.allSettled([
      answerQuestion(TERN, "q-1", "Deny"),
      answerQuestion(TERN, "q-1", "Deny"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(daemon.count()).toBe(1);
  });
});

it("a button's write reports its failure in the row only", async () => {
  stubDaemon(unreachable);
  await expect(interruptTurn(TERN)).resolves.toBeUndefined();
});
