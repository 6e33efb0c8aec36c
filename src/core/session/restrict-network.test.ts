import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aSession } from "../../testing/builders.ts";
import { DEFAULT_TRUST } from "../change/trust.ts";
import type { IntentOutcome, SessionSpec } from "../intent.ts";
import type { TrustPolicy } from "../policy.ts";
import { decideOutcome, decideStarting } from "./decide-intent.ts";
import { reactSession } from "./react.ts";
import { MAX_END_TRIES, type SessionState } from "./state.ts";

const KEPT = ["api.example.com"];
const TRUST: TrustPolicy = { ...DEFAULT_TRUST, network: KEPT };
const AGENT = {
  plugin: "command",
  config: { sandbox: { plugin: "bubblewrap", network: ["api.example.com", "npmjs.org"] } },
};

type Facts = Parameters<typeof aSession>[0];

/** A session that was given untrusted text, which is still queued. */
function marked(facts: Facts = {}): SessionState {
  const messages = [aMessage({ id: "m-1" })];
  return aSession({ agent: AGENT, readUntrusted: { from: "mallory", at: 1 }, messages, ...facts });
}

function wanted(session: SessionState, trust: TrustPolicy | undefined = TRUST): readonly SessionSpec[] {
  const { intents } = reactSession(session, { paused: false, trust }, 9000);
  return intents.map(({ spec }) => spec as SessionSpec);
}

function kinds(session: SessionState, trust?: TrustPolicy): readonly string[] {
  return wanted(session, trust).map(({ kind }) => kind);
}

/** The session after what it wants has had this outcome. */
function resultOf(session: SessionState, outcome: IntentOutcome): SessionState {
  const [spec] = wanted(session);
  if (spec === undefined) throw new Error("it wants nothing");
  const begun = afterEvents(session, decideStarting(session, spec, TRUST));
  return afterEvents(begun, decideOutcome(begun, spec, outcome, 9000));
}

const RESTRICTED: IntentOutcome = { kind: "network-restricted" };
const FAILED: IntentOutcome = { kind: "failed", code: "timeout", message: "No answer.", hint: null };

describe("untrusted text for a running agent", () => {
  it("is sent only once its network is restricted", () => {
    const session = marked();
    expect(wanted(session)).toEqual([{ kind: "restrict-network", sessionId: session.id, run: 1, hosts: KEPT }]);
    const restricted = resultOf(session, RESTRICTED);
    expect(restricted.run.onlyHosts).toEqual(KEPT);
    expect(wanted(restricted)).toMatchObject([{ kind: "send-message", messageId: "m-1" }]);
  });

  it.each<[string, Facts, TrustPolicy]>([
    ["the policy takes nothing", {}, DEFAULT_TRUST],
    ["the sandbox has no network", { agent: sandboxed("none") }, TRUST],
    ["it was read before, and the sandbox cannot be restricted", { agent: sandboxed("all") }, TRUST],
  ])("is sent at once if %s", (_, facts, trust) => {
    expect(kinds(marked(facts), trust)).toEqual(["send-message"]);
  });

  it("keeps a session that has read none as it is", () => {
    const { readUntrusted: _, ...session } = marked();
    expect(kinds(session, TRUST)).toEqual(["send-message"]);
  });

  it("is not sent to a run that could not be restricted; the run is ended, and the next one starts restricted", () => {
    const failed = resultOf(marked({ activity: { state: "idle" } }), FAILED);
    expect(kinds(failed)).toEqual(["end-run"]);
    const ended = resultOf(failed, { kind: "run-ended", code: null, evidence: "ended by ao" });
    expect(ended.run).toMatchObject({ state: "none", failures: 0, quickEnds: 0 });
    expect(ended.run.hibernation).toBeUndefined();
    expect(kinds(ended)).toEqual(["start-run"]);
    const started = resultOf(ended, { kind: "run-started", pid: 8 });
    expect(started.run).toMatchObject({ state: "alive", n: 2, onlyHosts: KEPT });
    expect(kinds(started)).toEqual(["send-message"]);
  });

  it("is not sent even if that run cannot be ended", () => {
    let session = resultOf(marked(), FAILED);
    for (let tries = 0; tries < MAX_END_TRIES; tries += 1) session = resultOf(session, FAILED);
    expect(wanted(session)).toEqual([]);
  });

  it("waits during a pause, and so does the restriction", () => {
    expect(reactSession(marked(), { paused: true, trust: TRUST }, 9000).intents).toEqual([]);
  });
});

describe("a run of a session that has read untrusted text", () => {
  it.each(["inbox", "file", "terminal"] as const)("starts restricted, with input by %s", (input) => {
    const session = marked({ input, run: { state: "none", n: 0 } });
    const [spec] = wanted(session);
    expect(spec?.kind).toBe("start-run");
    const events = spec === undefined ? [] : decideStarting(session, spec, TRUST);
    expect(events[0]).toMatchObject({ type: "run.starting", onlyHosts: KEPT });
    expect(afterEvents(session, events).run.onlyHosts).toEqual(KEPT);
  });

  it("follows a changed policy, also back to all hosts of its sandbox", () => {
    const restricted = resultOf(marked({ messages: [] }), RESTRICTED);
    expect(kinds(restricted)).toEqual([]);
    expect(wanted(restricted, { ...TRUST, network: [] })).toMatchObject([{ hosts: [] }]);
    expect(wanted(restricted, DEFAULT_TRUST)).toMatchObject([{ kind: "restrict-network", hosts: null }]);
    const lifted = afterEvents(restricted, [{ type: "run.network-restricted", run: 1, hosts: null }]);
    expect(kinds(lifted, DEFAULT_TRUST)).toEqual([]);
    const ids = [restricted, lifted].map(
      (session) => reactSession(session, { paused: false, trust: { ...TRUST, network: [] } }, 9000).intents[0]?.id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("does not inherit what applied to the run before", () => {
    const restricted = resultOf(marked(), RESTRICTED);
    const next = afterEvents(restricted, [
      { type: "run.ended", run: 1, code: 1, evidence: "died" },
      { type: "run.starting", run: 2, messageId: null },
    ]);
    expect(next.run.onlyHosts).toBeUndefined();
  });
});

function sandboxed(network: string): SessionState["agent"] {
  return { plugin: "command", config: { sandbox: { plugin: "bubblewrap", network } } };
}
