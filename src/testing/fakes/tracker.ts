import { AoError } from "../../core/errors.ts";
import { matchesFilter } from "../../core/task/match-issue.ts";
import type { Issue, NewIssue, Tracker } from "../../ports/tracker.ts";

export interface FakeTracker extends Tracker {
  readonly create: NonNullable<Tracker["create"]>;
  readonly edit: NonNullable<Tracker["edit"]>;
  readonly comment: NonNullable<Tracker["comment"]>;
}

export interface TrackerWorld {
  readonly tracker: FakeTracker;
  readonly issues: Map<string, Issue>;
  /** Comments by issue, then by key. */
  readonly comments: Map<string, Map<string, string>>;
  /** Unreadable records, by name. */
  readonly malformed: Set<string>;
  /** Why issues cannot be edited, by issue; absent ones can. */
  readonly failures: Map<string, Error>;
  add(issue: NewIssue & { readonly state: Issue["state"] }): Issue;
  /** Calls that reached the outside world. */
  countCalls(): number;
}

/** A tracker in memory; ids are numbers in the order of creation. */
export function createFakeTracker(): TrackerWorld {
  const issues = new Map<string, Issue>();
  const malformed = new Set<string>();
  const failures = new Map<string, Error>();
  const comments: TrackerWorld["comments"] = new Map();
  let calls = 0;
  const add: TrackerWorld["add"] = ({ priority, ...facts }) => {
    const id = String(issues.size + 1);
    const issue: Issue = { ...facts, id, priority: priority ?? null, assignee: null, url: null };
    issues.set(id, issue);
    return issue;
  };
  return {
    issues,
    comments,
    malformed,
    failures,
    add,
    countCalls: () => calls,
    tracker: {
      list: async (filter) => {
        calls += 1;
        const found = [...issues.values()].filter((issue) => matchesFilter(issue, filter));
        return { issues: found, problems: [...malformed].map((name) => `${name} cannot be read`) };
      },
      get: async (ids) => {
        if (ids.length === 0) return [];
        calls += 1;
        return ids.flatMap((id) => issues.get(id) ?? []);
      },
      create: async (issue) => {
        calls += 1;
        return add({ ...issue, state: "open" });
      },
      edit: async (id, patch) => {
        calls += 1;
        const [before, failure] = [issues.get(id), failures.get(id)];
        if (failure !== undefined) throw failure;
        if (before === undefined) throw new AoError({ code: "task-unknown", message: `There is no issue ${id}.` });
        const named = Object.entries(patch).filter(([, value]) => value !== undefined);
        const after = { ...before, ...Object.fromEntries(named) };
        issues.set(id, after);
        return after;
      },
      comment: async (id, { key, text }) => {
        calls += 1;
        if (!issues.has(id)) throw new AoError({ code: "task-unknown", message: `There is no issue ${id}.` });
        comments.set(id, (comments.get(id) ?? new Map<string, string>()).set(key, text));
      },
    },
  };
}
