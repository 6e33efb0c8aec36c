import { describe, expect, it } from "vitest";
import { beginSession, beginStory, eventsOf, type Story, sessionOf, submit } from "../../../test/support/story.ts";
import { aCreate } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { DEFAULT_TRUST, type Said } from "../change/trust.ts";
import type { Decision } from "../input.ts";
import type { TrustPolicy } from "../policy.ts";
import { describeUntrustedIssue } from "./issue-author.ts";

const MALLORY: Said = { author: "mallory", access: "none" };
const ANN: Said = { author: "ann", access: "write" };
const NO_LIMIT = { kind: "none" } as const;

function begin(trust: Partial<TrustPolicy>): Story {
  return beginStory(aPolicy({ trust: { ...DEFAULT_TRUST, ...trust }, checks: {} }));
}

function create(story: Story, issueAuthor: Said, facts: Parameters<typeof aCreate>[0] = {}): readonly Decision[] {
  return submit(story, aCreate({ issue: "7", title: "Seventh", messageId: "m-7", issueAuthor, ...facts }));
}

describe("a session for an issue", () => {
  it.each<[string, Said, Partial<TrustPolicy>, string | undefined]>([
    ["of a stranger, by default", MALLORY, {}, "mallory"],
    ["of a colleague, by default", ANN, {}, undefined],
    ["of a colleague, if nobody is trusted", ANN, { from: "nobody" }, "ann"],
    ["of a stranger, if everyone is trusted", MALLORY, { from: "everyone" }, undefined],
    ["of a stranger whom the project trusts", MALLORY, { allow: ["Mallory"] }, undefined],
    ["of a colleague whom it does not trust", ANN, { deny: ["ann"] }, "ann"],
  ])("%s", (_, author, trust, from) => {
    const story = begin(trust);
    create(story, author);
    expect(sessionOf(story, "demo-7").readUntrusted?.from).toBe(from);
  });

  it("of a stranger is marked before its agent gets the text", () => {
    const story = begin({});
    create(story, MALLORY);
    const types = story.log.filter(({ stream }) => stream === "session:demo-7").map(({ event }) => event.type);
    expect(types.slice(0, 3)).toEqual(["session.requested", "untrusted.read", "message.queued"]);
  });

  it("of a stranger is refused where the network has to be taken and cannot be", () => {
    const story = begin({ network: [] });
    const [decision] = create(story, MALLORY);
    expect(decision).toMatchObject({ kind: "rejected", rejection: { code: "conflict" } });
    expect(JSON.stringify(decision)).toContain("a session for issue 7, which is by mallory");
    expect(create(story, ANN)[0]).toMatchObject({ kind: "accepted" });
  });

  it("without an author is the user's own", () => {
    const story = begin({ from: "nobody" });
    beginSession(story, { issue: "8", title: "Eighth" });
    expect(eventsOf(story, "untrusted.read")).toEqual([]);
  });
});

it("the person who starts it reads who wrote the issue and what follows", () => {
  expect(describeUntrustedIssue("7", MALLORY, { trust: DEFAULT_TRUST, limit: NO_LIMIT })).toBe(
    "Issue 7 was written by mallory, who has no write access. Its agent gets the text marked as data. ao merges its pull requests only when you ask for it.",
  );
  const trust = { ...DEFAULT_TRUST, from: "nobody", autoMerge: true, push: false, network: ["a.example"] } as const;
  expect(describeUntrustedIssue("7", ANN, { trust, limit: { kind: "hosts", hosts: ["a.example"] } })).toBe(
    "Issue 7 was written by ann, who is not trusted in this project. Its agent gets the text marked as data. Each of its commits waits for `ao pass` before it is pushed. Its network is restricted to a.example.",
  );
  expect(describeUntrustedIssue("7", ANN, { trust: DEFAULT_TRUST, limit: NO_LIMIT })).toBeNull();
  expect(describeUntrustedIssue("7", null, { trust, limit: NO_LIMIT })).toBeNull();
});
