import { describe, expect, it } from "vitest";
import { createArchivingWorld } from "../../../test/support/archiving-world.ts";
import {
  advance,
  agentTurn,
  ask,
  beginSession,
  beginStory,
  changeOf,
  eventsOf,
  MINUTE,
  moveBase,
  perform,
  restart,
  review,
  type Story,
  sessionOf,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { aPolicy, aRule } from "../../testing/change-builders.ts";
import type { ProjectPolicy } from "../policy.ts";

/** One approval is required, and then it merges automatically. */
function withChange(policy: ProjectPolicy = aPolicy()): Story {
  const story = beginStory(policy);
  agentTurn(story, "head1");
  return story;
}

const merge = { type: "change.merge", key: "demo/1", strategy: null, by: "ann" } as const;
const byHand = aPolicy({ reactions: { "approved-and-green": aRule({ auto: false, action: "notify", retries: 0 }) } });

function escalated(story: Story): readonly string[] {
  return eventsOf(story, "problem.escalated").map(({ id }) => id);
}

describe("a turn with new commits", () => {
  it("opens a pull request, once", () => {
    const story = withChange();
    agentTurn(story);
    agentTurn(story, "head2");
    expect(eventsOf(story, "change.opened")).toHaveLength(1);
    expect(changeOf(story)).toMatchObject({ number: 1, head: "head2", base: "main", sessionId: "demo-fix-it" });
  });

  it("opens none without a commit, while paused, or if the agent should open it", () => {
    const plain = beginStory();
    agentTurn(plain);
    const paused = beginStory();
    submit(paused, { type: "fleet.pause", projectId: null });
    agentTurn(paused, "head1");
    const agents = beginStory(aPolicy({ openPullRequest: "agent" }));
    agentTurn(agents, "head1");
    for (const story of [plain, paused, agents]) expect(eventsOf(story, "change.opened")).toEqual([]);
    ask(paused, { type: "fleet.resume", projectId: null });
    expect(eventsOf(paused, "change.opened")).toHaveLength(1);
  });

  it("of two sessions at the same moment opens two, each with its own number", () => {
    const story = beginStory();
    beginSession(story, { title: "Other" });
    for (const sessionId of ["demo-fix-it", "demo-other"]) {
      story.branches.set(sessionOf(story, sessionId).branch, `head-of-${sessionId}`);
      story.held.add("read-branch");
      agentTurn(story, `head-of-${sessionId}`, sessionId);
    }
    story.held.delete("read-branch");
    const reads = [...story.open.values()].filter(({ spec }) => spec.kind === "read-branch");
    expect(reads).toHaveLength(2);
    const outcomes = reads.map(({ id, spec }) => {
      const sessionId = "sessionId" in spec ? spec.sessionId : "";
      const facts = { head: `head-of-${sessionId}`, baseHead: "base0", ahead: 1 };
      return { type: "intent.outcome", id, outcome: { kind: "branch-read", facts } } as const;
    });
    submit(story, ...outcomes);
    perform(story);
    expect(eventsOf(story, "change.opened").map(({ number }) => number)).toEqual([1, 2]);
  });

  it("after a merge opens the next one; the same commit is not proposed twice", () => {
    const story = withChange(aPolicy({ cleanUpAfterMerge: false }));
    review(story, "approve");
    agentTurn(story);
    expect(eventsOf(story, "change.opened")).toHaveLength(1);
    agentTurn(story, "head2");
    expect(changeOf(story, "demo/2")).toMatchObject({ head: "head2", phase: "open" });
  });
});

describe("approved and green", () => {
  it("is merged automatically, then its session is stopped and its issue closed", () => {
    const story = beginStory(aPolicy());
    beginSession(story, { title: "Issue", issue: "7" });
    agentTurn(story, "head1", "demo-7");
    review(story, "approve");
    expect(changeOf(story)).toMatchObject({ phase: "merged", issueFate: "merged", merged: { by: "ao" } });
    expect(sessionOf(story, "demo-7")).toMatchObject({ phase: "stopped", stopReason: "merged as merge-of-h" });
    expect(sessionOf(story).phase).toBe("open");
    expect(story.world.view.project("demo")?.baseHead).toBe("merge-of-head1");
  });

  it("deletes the branch if the rule says so, after the session has released it", () => {
    const rule = aRule({ action: "merge", retries: 0, deleteAfter: true });
    const story = withChange(aPolicy({ reactions: { "approved-and-green": rule } }));
    story.held.add("end-run");
    review(story, "approve");
    expect(changeOf(story)).toMatchObject({ phase: "merged", branchFate: null });
    story.held.delete("end-run");
    perform(story);
    expect(changeOf(story).branchFate).toBe("merged");
  });

  it("is left to a person if the rule is not automatic", () => {
    const story = withChange(byHand);
    review(story, "approve");
    expect(changeOf(story).phase).toBe("open");
    expect(escalated(story)).toEqual(["approved-and-green"]);
    ask(story, merge);
    expect(changeOf(story)).toMatchObject({ phase: "merged", merged: { by: "ann", strategy: "squash" } });
  });

  it("is not merged while paused", () => {
    const story = withChange();
    ask(story, { type: "fleet.pause", projectId: null });
    review(story, "approve");
    expect(changeOf(story)).toMatchObject({ phase: "open", mergeRequest: null });
    ask(story, { type: "fleet.resume", projectId: null });
    expect(changeOf(story).phase).toBe("merged");
  });

  it("is merged once, even if the daemon dies after the merge and asks the repository", () => {
    const story = withChange();
    story.held.add("merge-change");
    review(story, "approve");
    restart(story, 1000);
    story.held.delete("merge-change");
    perform(story);
    expect(eventsOf(story, "change.merged")).toHaveLength(1);
    restart(story, 1000);
    expect(eventsOf(story, "change.merged")).toHaveLength(1);
  });

  it("and restored after its merge is not stopped again", () => {
    const story = withChange();
    review(story, "approve");
    story.now += 1000;
    ask(story, { type: "session.restore", sessionId: "demo-fix-it" });
    expect(sessionOf(story).phase).toBe("open");
  });
});

describe("an approval", () => {
  it("of an older commit does not count", () => {
    const story = beginStory();
    story.check = () => null;
    agentTurn(story, "head1");
    review(story, "approve");
    agentTurn(story, "head2");
    story.check = () => "passed";
    perform(story);
    expect(changeOf(story)).toMatchObject({ phase: "open", mergeRequest: null });
    review(story, "approve");
    expect(changeOf(story).phase).toBe("merged");
  });

  it("withdraws the changes that the same person requested, not those of another", () => {
    const story = withChange(byHand);
    review(story, "request-changes", "Rename it.", "ann");
    review(story, "request-changes", "Test it.", "bob");
    review(story, "approve", null, "ann");
    const open = Object.keys(changeOf(story).problems).filter((id) => id.startsWith("changes-requested"));
    expect(open).toHaveLength(1);
    expect(submit(story, merge)[0]).toMatchObject({
      kind: "rejected",
      rejection: { data: { blockers: ["bob requested changes"] } },
    });
  });
});

describe("a requested merge", () => {
  it("is rejected with its blockers", () => {
    const story = withChange(byHand);
    expect(submit(story, merge)[0]).toMatchObject({
      kind: "rejected",
      rejection: { code: "conflict", data: { blockers: ["needs 1 approval"] } },
    });
  });

  it("waits for a running check, and is void after a new commit", () => {
    const story = beginStory(aPolicy({ ...byHand, merging: { approvals: 0 } }));
    story.check = () => null;
    agentTurn(story, "head1");
    expect(submit(story, merge)[0]).toMatchObject({
      kind: "accepted",
      result: { waitsFor: ["check `unit` running"] },
    });
    agentTurn(story, "head2");
    story.check = () => "passed";
    perform(story);
    expect(changeOf(story)).toMatchObject({ phase: "open", mergeRequest: null });
  });

  it("is void if the branch has moved when its merge starts", () => {
    const story = withChange();
    story.merging = () => ({
      kind: "merge-outdated",
      reason: "it moved",
      facts: { head: "head2", baseHead: "base0", ahead: 2 },
    });
    review(story, "approve");
    expect(changeOf(story)).toMatchObject({ phase: "open", head: "head2", mergeRequest: null });
    expect(eventsOf(story, "merge.refused")).toEqual([]);
  });

  it("is retried on a moved base, without a person", () => {
    const story = withChange();
    let tries = 0;
    story.merging = () => {
      tries += 1;
      if (tries > 1) return null;
      story.branches.set("main", "base1");
      return { kind: "merge-outdated", reason: "it moved", facts: { head: "head1", baseHead: "base1", ahead: 1 } };
    };
    review(story, "approve");
    expect(changeOf(story).phase).toBe("merged");
    expect(escalated(story)).toEqual([]);
  });

  it("that must wait is retried with growing pauses, and is one entry for people", () => {
    const story = withChange();
    const tries: number[] = [];
    story.merging = () => {
      tries.push(story.now);
      return { kind: "merge-waits", reason: "a.ts is edited in your checkout", files: ["a.ts"] };
    };
    review(story, "approve");
    advance(story, 5 * MINUTE);
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000]);
    expect(escalated(story)).toEqual(["merge-waits"]);
    story.merging = () => null;
    advance(story, MINUTE);
    expect(changeOf(story)).toMatchObject({ phase: "merged", problems: {} });
  });

  it("that was rejected is not repeated automatically; a person may ask again", () => {
    const story = withChange();
    let tries = 0;
    story.merging = () => {
      tries += 1;
      return { kind: "failed", code: "plugin-failed", message: "The ref is locked.", hint: null };
    };
    review(story, "approve");
    advance(story, 60 * MINUTE);
    moveBase(story, "base1");
    expect(tries).toBe(1);
    expect(escalated(story)).toEqual(["merge-failed"]);
    story.merging = () => null;
    ask(story, merge);
    expect(changeOf(story)).toMatchObject({ phase: "merged", merged: { by: "ann" } });
  });

  it("works for the same commit after the pull request was closed in the forge's merge queue and reopened", () => {
    const story = withChange(byHand);
    story.merging = () => ({ kind: "merge-queued", name: "the queue", position: 1, removal: null });
    review(story, "approve");
    ask(story, merge);
    expect(changeOf(story).mergeRequest?.queue).toBeDefined();
    ask(story, { type: "change.close", key: "demo/1", by: "ann", reason: "not now" });
    story.opened = 0;
    const facts = { head: "head1", baseHead: "base0", ahead: 1 };
    ask(story, { type: "change.open", sessionId: "demo-fix-it", title: null, body: null, facts, by: "ann" });
    expect(changeOf(story)).toMatchObject({ phase: "open", mergeRequest: null });
    story.merging = () => null;
    ask(story, merge);
    expect(changeOf(story)).toMatchObject({ phase: "merged", merged: { by: "ann" } });
  });

  it("works for the same commit after it left a queue that it joined under an older version", () => {
    const story = withChange();
    story.merging = () => ({ kind: "merge-queued", name: "the queue", position: 1, removal: null });
    review(story, "approve");
    const states = new Map(story.world.everything());
    const { mergeRequests: _, ...older } = changeOf(story);
    states.set("change:demo/1", older);
    story.world = createArchivingWorld(states);
    ask(story, { type: "change.cancel-merge", key: "demo/1", by: "ann" });
    story.merging = () => null;
    ask(story, merge);
    expect(changeOf(story)).toMatchObject({ phase: "merged", merged: { by: "ann" } });
  });

  it("is blocked by a label until it is removed", () => {
    const story = withChange(aPolicy({ merging: { blockLabels: ["hold"] } }));
    ask(story, { type: "change.label", key: "demo/1", add: ["hold"], remove: [], by: "ann" });
    review(story, "approve");
    expect(changeOf(story).phase).toBe("open");
    ask(story, { type: "change.label", key: "demo/1", add: [], remove: ["hold"], by: "ann" });
    expect(changeOf(story).phase).toBe("merged");
  });
});

describe("during a merge", () => {
  it("a new commit is not merged with it: the session continues with another pull request", () => {
    const rule = aRule({ action: "merge", retries: 0, deleteAfter: true });
    const story = withChange(aPolicy({ reactions: { "approved-and-green": rule } }));
    story.held.add("merge-change");
    review(story, "approve");
    agentTurn(story, "head2");
    story.held.delete("merge-change");
    perform(story);
    expect(changeOf(story)).toMatchObject({ phase: "merged", head: "head1" });
    expect(sessionOf(story).phase).toBe("open");
    expect(changeOf(story, "demo/2")).toMatchObject({ phase: "open", head: "head2" });
    expect(changeOf(story).branchFate).toBeNull();
  });

  it.each([
    [
      "is outdated",
      { kind: "merge-outdated", reason: "it moved", facts: { head: "head2", baseHead: "base0", ahead: 2 } },
    ],
    ["fails", { kind: "failed", code: "conflict", message: "The ref is locked.", hint: null }],
    ["has to wait", { kind: "merge-waits", reason: "a.ts is edited in your checkout", files: ["a.ts"] }],
    ["joins a queue", { kind: "merge-queued", name: "the queue", position: 1, removal: null }],
  ] as const)("a new commit is approved, and merged although the merge of the old one %s", (_, outcome) => {
    const story = withChange();
    story.held.add("merge-change");
    review(story, "approve");
    agentTurn(story, "head2");
    review(story, "approve");
    expect(changeOf(story).mergeRequest).toMatchObject({ head: "head2" });
    story.merging = ({ head }) => (head === "head1" ? outcome : null);
    story.held.delete("merge-change");
    perform(story);
    expect(changeOf(story)).toMatchObject({ phase: "merged", head: "head2", merged: { commit: "merge-of-head2" } });
    expect(escalated(story)).toEqual([]);
  });

  it("a new commit merges automatically once it is approved, although the merge of the old one failed before", () => {
    const story = withChange();
    story.held.add("merge-change");
    review(story, "approve");
    agentTurn(story, "head2");
    story.merging = ({ head }) =>
      head === "head1" ? { kind: "failed", code: "conflict", message: "The ref is locked.", hint: null } : null;
    story.held.delete("merge-change");
    perform(story);
    expect(changeOf(story)).toMatchObject({ refusal: null, refusals: 1, problems: {} });
    review(story, "approve");
    expect(changeOf(story)).toMatchObject({ phase: "merged", head: "head2" });
  });

  it("a person's close comes too late", () => {
    const story = withChange();
    story.held.add("merge-change");
    review(story, "approve");
    ask(story, { type: "change.close", key: "demo/1", by: "ann", reason: "not wanted" });
    story.held.delete("merge-change");
    perform(story);
    expect(changeOf(story).phase).toBe("merged");
  });
});

describe("a moved base", () => {
  it("has every open pull request tried again, even if it moves back", () => {
    const story = withChange();
    for (const base of ["base1", "base2", "base1"]) {
      moveBase(story, base);
      expect(changeOf(story).mergeability).toMatchObject({ kind: "clean", baseHead: base });
    }
    expect(eventsOf(story, "change.tried")).toHaveLength(4);
  });

  it("that conflicts: the agent gets the files, once while it works on them", () => {
    const story = withChange();
    story.conflicts = (head, base) => (head === "head1" && base !== "base0" ? ["a.ts", "b.ts"] : []);
    moveBase(story, "base1");
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain("conflicts with main");
    expect(toldOf(story)[0]).toContain("a.ts\nb.ts\n");
    moveBase(story, "base2");
    moveBase(story, "base3");
    expect(toldOf(story)).toHaveLength(1);
    agentTurn(story, "head2");
    expect(changeOf(story).problems).toEqual({});
  });

  it("that cannot be tried: a person is notified", () => {
    const story = withChange();
    story.held.add("try-merge");
    moveBase(story, "base1");
    const [tried] = [...story.open.values()].filter(({ spec }) => spec.kind === "try-merge");
    submit(story, {
      type: "intent.outcome",
      id: tried?.id ?? "",
      outcome: { kind: "unknown", reason: "git is too old" },
    });
    expect(escalated(story)).toEqual(["merge-untried"]);
    story.held.delete("try-merge");
    moveBase(story, "base2");
    expect(changeOf(story).problems).toEqual({});
  });
});

describe("conditions of rules", () => {
  const rule = aRule({ action: "merge", retries: 0, strategy: "squash", condition: "!('by-hand' in pr.labels)" });
  const careful = aPolicy({ reactions: { "approved-and-green": rule } });

  it("let a pull request be merged, or leave it to a person", () => {
    const merging = withChange(careful);
    review(merging, "approve");
    expect(changeOf(merging).phase).toBe("merged");
    const waiting = withChange(careful);
    ask(waiting, { type: "change.label", key: "demo/1", add: ["by-hand"], remove: [], by: "ann" });
    review(waiting, "approve");
    expect(changeOf(waiting).phase).toBe("open");
    expect(escalated(waiting)).toEqual(["approved-and-green"]);
    ask(waiting, { type: "change.label", key: "demo/1", add: [], remove: ["by-hand"], by: "ann" });
    expect(changeOf(waiting).phase).toBe("merged");
  });

  it("choose the label that an agent is asked about, once", () => {
    const message = "Please add tests for {{pr}} ({{label}}).";
    const added = aRule({ condition: "label == 'needs-tests'", message });
    const story = withChange(aPolicy({ reactions: { "label-added": added } }));
    ask(story, { type: "change.label", key: "demo/1", add: ["ui", "needs-tests"], remove: [], by: "ann" });
    agentTurn(story);
    agentTurn(story, "head2");
    advance(story, 48 * 60 * MINUTE);
    expect(toldOf(story).filter((text) => text.includes("add tests"))).toEqual([
      "Please add tests for #1 (needs-tests).",
    ]);
    expect(escalated(story)).toEqual([]);
    ask(story, { type: "change.label", key: "demo/1", add: [], remove: ["needs-tests"], by: "ann" });
    ask(story, { type: "change.label", key: "demo/1", add: ["needs-tests"], remove: [], by: "ann" });
    expect(toldOf(story).filter((text) => text.includes("add tests"))).toHaveLength(2);
  });
});

describe("a project's own rules", () => {
  it("require a person's approval for some paths, even if none is required otherwise", () => {
    const policy = aPolicy({ merging: { approvals: 0, paths: { "src/auth/**": "human" } } });
    const story = beginStory(policy);
    story.changed = ["docs/a.md", "src/auth/login.ts"];
    agentTurn(story, "head1");
    expect(changeOf(story)).toMatchObject({ phase: "open", mergeability: { size: { paths: story.changed } } });
    review(story, "approve");
    expect(changeOf(story).phase).toBe("merged");
  });

  it("let unaffected changes be merged", () => {
    const policy = aPolicy({ merging: { approvals: 0, paths: { "src/auth/**": "human" }, maxFiles: 2 } });
    const story = beginStory(policy);
    story.changed = ["docs/a.md"];
    agentTurn(story, "head1");
    expect(changeOf(story).phase).toBe("merged");
  });

  it("measure again what was tried before they existed", () => {
    const story = withChange(byHand);
    expect(changeOf(story).mergeability).not.toHaveProperty("size");
    submit(story, { type: "project.policy", id: "demo", policy: aPolicy({ merging: { approvals: 0, maxFiles: 5 } }) });
    perform(story);
    expect(changeOf(story).phase).toBe("merged");
  });

  it("hold a merge during quiet hours without notifying anyone, and release it when they end", () => {
    // The story starts at 00:16:40 UTC.
    const quietHours = { from: "00:00", to: "01:00", timeZone: "UTC" };
    const story = withChange(aPolicy({ merging: { quietHours } }));
    review(story, "approve");
    expect(changeOf(story)).toMatchObject({ phase: "open", mergeRequest: { reason: "quiet hours until 01:00 (UTC)" } });
    advance(story, 40 * MINUTE);
    expect(changeOf(story).phase).toBe("open");
    expect(escalated(story)).toEqual([]);
    advance(story, 10 * MINUTE);
    expect(changeOf(story).phase).toBe("merged");
    expect(eventsOf(story, "merge.held")).toHaveLength(1);
  });

  it("apply to a person too", () => {
    const rules = [{ unless: "pr.title.startsWith('docs')", say: "only documentation is merged this week" }];
    const story = withChange(aPolicy({ merging: { rules }, reactions: byHand.reactions }));
    review(story, "approve");
    const message = "Pull request #1 cannot be merged: only documentation is merged this week.";
    expect(submit(story, merge)).toMatchObject([{ kind: "rejected", rejection: { message } }]);
  });

  it("yield to a person who gives a reason, but never for a red check", () => {
    const rules = [{ unless: "false", say: "nothing is merged this week" }];
    const policy = aPolicy({ merging: { rules }, reactions: byHand.reactions });
    const story = withChange(policy);
    ask(story, { ...merge, override: "production is down" });
    expect(changeOf(story)).toMatchObject({ phase: "merged", merged: { by: "ann" } });
    expect(eventsOf(story, "merge.requested")).toMatchObject([{ override: "production is down" }]);
    const red = beginStory(policy);
    red.check = () => "failed";
    agentTurn(red, "head1");
    expect(submit(red, { ...merge, override: "production is down" })).toMatchObject([{ kind: "rejected" }]);
  });

  it("apply again for the next commit", () => {
    const story = withChange(aPolicy({ merging: { blockLabels: ["hold"] }, reactions: byHand.reactions }));
    story.held.add("merge-change");
    ask(story, { ...merge, override: "it is urgent" });
    agentTurn(story, "head2");
    story.held.delete("merge-change");
    expect(changeOf(story)).toMatchObject({ phase: "open", head: "head2" });
  });
});
