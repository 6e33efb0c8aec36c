import { describe, expect, it } from "vitest";
import type { Issue, NewIssue, Tracker } from "../../ports/tracker.ts";

/** The environment of a tracker, fresh for each test. */
interface TrackerScene {
  readonly tracker: Tracker;
  /** Adds an issue without the tracker's own `create`; returns its id. */
  seed(issue: NewIssue & { readonly state: Issue["state"] }): Promise<string>;
  /** Adds an unreadable record; returns a word that identifies its problem. */
  seedMalformed(): Promise<string>;
  /** The comments on an issue, oldest first; absent: this tracker has none. */
  readonly commentsOf?: (id: string) => readonly string[];
  /** The number of calls to the outside world so far. */
  countCalls(): number;
}

interface TrackerContract {
  readonly name: string;
  readonly create: () => TrackerScene | Promise<TrackerScene>;
  /** Replacements for special values that this tracker cannot store: its own priorities, labels without spaces. */
  readonly special?: Partial<NewIssue>;
  /** What this adapter cannot do, by test name, with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

const PLAIN: NewIssue = { title: "Plain", body: "", labels: [], dependsOn: [] };
const SPECIAL: NewIssue = {
  title: `"Quotes": 'and' #tags — {braces} [lists] & <b>ünïcödé</b> 日本語 🎉 \\ %`,
  body: '---\ntitle: not this one\n---\n\n# Heading\n\n\ttabs, "quotes", `code`\n\n\n| a | b |\n{{not: a template}} 日本語\n',
  labels: ["needs: review", "a,b", "42", "#hash", "true"],
  dependsOn: [],
  priority: "high: 1",
};

type Fact = (scene: TrackerScene, special: NewIssue) => Promise<void>;

const READING: Readonly<Record<string, Fact>> = {
  "lists nothing in an empty tracker": async ({ tracker }) => {
    expect(await tracker.list({})).toEqual({ issues: [], problems: [] });
  },
  "lists by number, ascending": async ({ tracker, seed }) => {
    const ids: string[] = [];
    for (let n = 1; n <= 12; n += 1) ids.push(await seed({ ...PLAIN, title: `Number ${n}`, state: "open" }));
    expect((await tracker.list({})).issues.map((issue) => issue.id)).toEqual(ids);
  },
  "lists by state": async ({ tracker, seed }) => {
    const open = await seed({ ...PLAIN, state: "open" });
    const closed = await seed({ ...PLAIN, state: "closed" });
    const idsOf = async (filter: Parameters<Tracker["list"]>[0]): Promise<string[]> =>
      (await tracker.list(filter)).issues.map((issue) => issue.id);
    expect(await idsOf({ state: "open" })).toEqual([open]);
    expect(await idsOf({ state: "closed" })).toEqual([closed]);
    expect(await idsOf({})).toEqual([open, closed]);
  },
  "lists by labels, ignoring case": async ({ tracker, seed }) => {
    const both = await seed({ ...PLAIN, labels: ["Bug", "a,b"], state: "open" });
    await seed({ ...PLAIN, labels: ["bug"], state: "open" });
    const { issues } = await tracker.list({ labels: ["bug", "A,B"] });
    expect(issues.map((issue) => issue.id)).toEqual([both]);
  },
  "lists by assignee": async ({ tracker, seed }) => {
    await seed({ ...PLAIN, state: "open" });
    const second = await seed({ ...PLAIN, state: "open" });
    await required(tracker.edit)(second, { assignee: "ada" });
    const idsOf = async (assignee: string): Promise<string[]> =>
      (await tracker.list({ assignee })).issues.map((issue) => issue.id);
    expect([await idsOf("ada"), await idsOf("bob")]).toEqual([[second], []]);
  },
  "returns every field of an issue": async ({ tracker, seed }) => {
    const first = await seed({ ...PLAIN, state: "open" });
    const wanted = { title: "Whole", body: "one\n\ntwo", labels: ["bug", "ui"], dependsOn: [first], priority: "high" };
    const id = await seed({ ...wanted, state: "closed" });
    expect(await tracker.get([id])).toMatchObject([{ ...wanted, id, state: "closed" }]);
  },
  "omits unknown ids": async ({ tracker, seed }) => {
    const id = await seed({ ...PLAIN, state: "open" });
    expect((await tracker.get([id, "987654", "NO-SUCH-1"])).map((issue) => issue.id)).toEqual([id]);
  },
  "makes no call for an empty list of ids": async ({ tracker, seed, countCalls }) => {
    await seed({ ...PLAIN, state: "open" });
    const before = countCalls();
    expect(await tracker.get([])).toEqual([]);
    expect(countCalls()).toBe(before);
  },
  "reports an unreadable record, and lists the others": async ({ tracker, seed, seedMalformed }) => {
    const before = await seed({ ...PLAIN, state: "open" });
    const word = await seedMalformed();
    const { issues, problems } = await tracker.list({});
    expect(issues.map((issue) => issue.id)).toEqual([before]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(word);
  },
  "keeps special characters": async ({ tracker, seed }, special) => {
    const id = await seed({ ...special, state: "open" });
    expect(await tracker.get([id])).toMatchObject([{ ...special, id }]);
  },
};

const WRITING: Readonly<Record<string, Fact>> = {
  "returns what was created": async ({ tracker }, special) => {
    const created = await required(tracker.create)(special);
    expect(created).toMatchObject({ ...special, state: "open" });
    expect(await tracker.get([created.id])).toEqual([created]);
    // A list may leave out the access of authors, which can take a call for each.
    const { author, ...facts } = created;
    const listed = author === undefined ? facts : { ...facts, author: expect.objectContaining({ name: author.name }) };
    expect(await tracker.list({ state: "open" })).toEqual({ issues: [listed], problems: [] });
  },
  "assigns different ids to issues created at once": async ({ tracker }) => {
    const titles = Array.from({ length: 12 }, (_, index) => `At once ${index}`);
    const created = await Promise.all(titles.map((title) => required(tracker.create)({ ...PLAIN, title })));
    expect(new Set(created.map((issue) => issue.id)).size).toBe(titles.length);
    expect(created.map((issue) => issue.title)).toEqual(titles);
    expect((await tracker.list({})).issues).toHaveLength(titles.length);
  },
  "edits the given fields and nothing else": async ({ tracker, seed }, special) => {
    const id = await seed({ ...special, state: "open" });
    const [before] = await tracker.get([id]);
    const after = await required(tracker.edit)(id, { state: "closed", labels: ["done"] });
    expect(after).toEqual({ ...before, state: "closed", labels: ["done"] });
    expect(await tracker.get([id])).toEqual([after]);
  },
  "loses neither of two concurrent edits": async ({ tracker, seed }) => {
    const id = await seed({ ...PLAIN, state: "open" });
    const edit = required(tracker.edit);
    await Promise.all([edit(id, { title: "New title" }), edit(id, { body: "New body" })]);
    expect(await tracker.get([id])).toMatchObject([{ title: "New title", body: "New body" }]);
  },
  "refuses to edit a missing issue": async ({ tracker }) => {
    await expect(required(tracker.edit)("987654", { state: "closed" })).rejects.toMatchObject({ code: "task-unknown" });
  },
};

const COMMENTING: Readonly<Record<string, Fact>> = {
  "writes one comment per key, and replaces its text": async ({ tracker, seed, commentsOf }) => {
    const id = await seed({ ...PLAIN, state: "open" });
    const comment = required(tracker.comment);
    await comment(id, { key: "session app-1", text: "Started" });
    await comment(id, { key: "session app-1", text: "Started" });
    await comment(id, { key: "session app-2", text: "Another" });
    await comment(id, { key: "session app-1", text: "Done" });
    expect(required(commentsOf)(id)).toEqual([expect.stringContaining("Done"), expect.stringContaining("Another")]);
  },
  "refuses to comment on a missing issue": async ({ tracker }) => {
    const comment = required(tracker.comment)("987654", { key: "session app-1", text: "Started" });
    await expect(comment).rejects.toMatchObject({ code: "task-unknown" });
  },
};

/** Runs the facts that hold for every tracker against one. */
export function describeTrackerContract(contract: TrackerContract): void {
  const facts = { ...READING, ...WRITING, ...COMMENTING };
  const reasons = new Map(contract.skip?.map(({ test, reason }) => [test, reason]));
  for (const test of reasons.keys()) {
    if (!(test in facts)) throw new Error(`The contract of trackers has no test "${test}".`);
  }
  describe(`${contract.name} satisfies the tracker contract:`, () => {
    for (const [name, fact] of Object.entries(facts)) {
      const reason = reasons.get(name);
      if (reason !== undefined) it.skip(`${name} (skipped: ${reason})`);
      else it(name, async () => fact(await contract.create(), { ...SPECIAL, ...contract.special }));
    }
  });
}

function required<T>(method: T | undefined): T {
  if (method === undefined) throw new Error("The tracker lacks this method; list the test in `skip`, with the reason.");
  return method;
}
