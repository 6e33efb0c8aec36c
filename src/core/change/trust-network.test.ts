import { describe, expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginSession,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  type Story,
  sessionOf,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { commentBy, INSTRUCTION, PASS, passOn, seeReviews } from "../../../test/support/stranger.ts";
import { aCreate } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { TrustPolicy } from "../policy.ts";
import { DEFAULT_TRUST } from "./trust.ts";

const KEPT = ["api.example.com"];

function policyWith(trust: Partial<TrustPolicy>): ReturnType<typeof aPolicy> {
  return aPolicy({ trust: { ...DEFAULT_TRUST, ...trust }, checks: {} });
}

function sandboxed(network: unknown): ReturnType<typeof aCreate>["agent"] {
  return { plugin: "command", config: { sandbox: { plugin: "bubblewrap", network } } };
}

/** A session with a pull request that mallory, a stranger, has commented on. */
function open(network: unknown, trust: Partial<TrustPolicy> = { network: KEPT }): Story {
  const agent = network === undefined ? {} : { agent: sandboxed(network) };
  const story = beginStory(policyWith(trust), ["desk"], agent);
  story.isRemote = true;
  agentTurn(story, "head1");
  seeReviews(story, commentBy("mallory", "none"));
  return story;
}

const LIST = ["api.example.com", "npmjs.org"];

describe("a stranger's comment in a project that takes the network", () => {
  it("is sent after the network is restricted, not before", () => {
    const story = open(LIST);
    story.held.add("restrict-network");
    passOn(story);
    expect(sessionOf(story).readUntrusted).toMatchObject({ from: "mallory" });
    expect(toldOf(story)).toEqual([]);
    story.held.clear();
    perform(story);
    expect(toldOf(story)[0]).toContain(INSTRUCTION);
    const types = story.log.map(({ event }) => event.type);
    expect(types.lastIndexOf("run.network-restricted")).toBeLessThan(types.lastIndexOf("message.written"));
    expect(eventsOf(story, "run.network-restricted")).toEqual([
      { type: "run.network-restricted", run: 1, hosts: KEPT },
    ]);
  });

  it("restricts the network once, and later runs start with it", () => {
    const story = open(LIST);
    passOn(story);
    agentTurn(story, "head2");
    submit(story, { type: "run.exited", sessionId: sessionOf(story).id, run: 1, code: 1, evidence: "died" });
    ask(story, { type: "session.stop", sessionId: sessionOf(story).id, reason: "asked for" });
    ask(story, { type: "session.restore", sessionId: sessionOf(story).id });
    expect(sessionOf(story).run).toMatchObject({ state: "alive", onlyHosts: KEPT });
    expect(eventsOf(story, "run.network-restricted")).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ["without a sandbox", undefined, "its agent has no sandbox"],
    ["whose sandbox has the whole network", "all", "its sandbox has full network access"],
  ])("is not passed on to a session %s, and says what to configure", (_, network, reason) => {
    const story = open(network);
    const [refused] = submit(story, PASS);
    perform(story);
    expect(refused).toMatchObject({ rejection: { code: "conflict" } });
    expect(JSON.stringify(refused)).toContain(reason);
    expect(JSON.stringify(refused)).toContain("agentConfig.sandbox.network");
    expect(toldOf(story)).toEqual([]);
    expect(sessionOf(story).readUntrusted).toBeUndefined();
    ask(story, { type: "project.policy", id: "demo", policy: policyWith({}) });
    passOn(story);
    expect(toldOf(story)).toHaveLength(1);
  });

  it("is passed on at once to a sandbox that has no network anyway", () => {
    const story = open("none");
    passOn(story);
    expect(toldOf(story)).toHaveLength(1);
    expect(eventsOf(story, "run.network-restricted")).toEqual([]);
  });

  it("is not sent if the policy takes the network after it was passed on, during a pause", () => {
    const story = open("all", {});
    ask(story, { type: "fleet.pause", projectId: null });
    passOn(story);
    ask(story, { type: "project.policy", id: "demo", policy: policyWith({ network: KEPT }) });
    ask(story, { type: "fleet.resume", projectId: null });
    expect(toldOf(story)).toEqual([]);
    expect(changeOf(story).problems["untrusted-comment:r-mallory"]).toBeDefined();
  });
});

describe("a session for a stranger's pull request", () => {
  const claimed = { number: 7, url: "u", author: "mallory", authorAccess: "none", body: null, head: "h7" } as const;
  const create = (agent: ReturnType<typeof aCreate>["agent"]): ReturnType<typeof aCreate> =>
    aCreate({ title: "Theirs", branch: "pr-7", agent, pullRequest: claimed, messageId: "m-claim" });

  it("starts restricted", () => {
    const story = beginStory(policyWith({ network: KEPT }));
    ask(story, create(sandboxed(LIST)));
    expect(eventsOf(story, "run.starting").at(-1)).toMatchObject({ onlyHosts: KEPT });
    expect(eventsOf(story, "run.network-restricted")).toEqual([]);
  });

  it("is refused if its network cannot be restricted", () => {
    const story = beginStory(policyWith({ network: KEPT }));
    const [refused] = submit(story, create(sandboxed("all")));
    expect(refused).toMatchObject({ rejection: { code: "conflict" } });
    expect(JSON.stringify(refused)).toContain("its sandbox has full network access");
  });

  it("is not refused if its author can push", () => {
    const story = beginStory(policyWith({ network: KEPT }));
    beginSession(story, { ...create(sandboxed("all")), pullRequest: { ...claimed, authorAccess: "write" } });
    expect(eventsOf(story, "run.starting").at(-1)).not.toHaveProperty("onlyHosts");
  });
});

describe("a session on one that got a stranger's words", () => {
  const child = (network: unknown): Partial<ReturnType<typeof aCreate>> => ({
    title: "Child",
    on: "demo-fix-it",
    agent: sandboxed(network),
  });

  it("is marked and starts restricted, and so does one on top of it", () => {
    const story = open(LIST);
    passOn(story);
    beginSession(story, child(LIST));
    expect(sessionOf(story, "demo-child").readUntrusted).toMatchObject({ from: "mallory" });
    expect(sessionOf(story, "demo-child").run).toMatchObject({ state: "alive", onlyHosts: KEPT });
    beginSession(story, { ...child(LIST), title: "Grandchild", on: "demo-child" });
    expect(sessionOf(story, "demo-grandchild").run).toMatchObject({ state: "alive", onlyHosts: KEPT });
    expect(sessionOf(story, "demo-grandchild").readUntrusted).toMatchObject({ from: "mallory", via: "demo-fix-it" });
  });

  it("is marked and restricted with it, and its pull request is not merged automatically", () => {
    const story = open(LIST);
    beginSession(story, child(LIST));
    agentTurn(story, "c1", "demo-child");
    expect(sessionOf(story, "demo-child").readUntrusted).toBeUndefined();
    passOn(story);
    expect(sessionOf(story, "demo-child").run).toMatchObject({ state: "alive", onlyHosts: KEPT });
    expect(changeOf(story, "demo/2").readUntrusted).toMatchObject({ from: "mallory" });
  });

  it("is refused if its network cannot be restricted", () => {
    const story = open(LIST);
    passOn(story);
    const [refused] = submit(story, aCreate({ ...child("all"), messageId: "m-child" }));
    expect(refused).toMatchObject({ rejection: { code: "conflict" } });
    expect(JSON.stringify(refused)).toContain("its sandbox has full network access");
  });
});
