import { describe, expect, it } from "vitest";
import type { Tracker } from "../../../ports/tracker.ts";
import { describeTrackerContract } from "../../../testing/contracts/tracker.contract.ts";
import { createFakeJira, type FakeJira } from "../../../testing/fake-jira/fake-jira.ts";
import { addPerson } from "../../../testing/fake-jira/model.ts";
import { createFakeMachine, type LogLine } from "../../../testing/fakes/host.ts";
import { fromAdf, toAdf } from "./adf.ts";
import { jira as plugin } from "./jira.ts";
import { quote } from "./jql.ts";
import { readText } from "./record.ts";

type Deployment = "cloud" | "server";

interface Scene {
  readonly jira: FakeJira;
  readonly tracker: Tracker;
  readonly logged: readonly LogLine[];
}

const BOTH = ["cloud", "server"] as const;

function aScene(
  deployment: Deployment,
  settings: Readonly<Record<string, unknown>> = {},
  env?: Readonly<Record<string, string>>,
): Scene {
  const jira = createFakeJira(deployment);
  for (const name of ["ada", "bob"]) addPerson(jira.world, name);
  const clock = { now: Date.now, after: () => () => undefined };
  const machine = createFakeMachine({ clock, env: env ?? jira.env });
  const config = plugin.config.parse({ project: "ENG", ...settings });
  const host = { ...machine.host, http: jira.http };
  return { jira, tracker: plugin.create(config, host, { home: "/", projectPath: "/" }), logged: machine.logged };
}

const textOf = (deployment: Deployment, text: string): unknown => (deployment === "cloud" ? toAdf(text) : text);

it.each([
  ["a member", "cloud", {}, "write"],
  ["a member of a server", "server", {}, "write"],
  ["a customer of a portal", "cloud", { reporter: { displayName: "Mallory", accountType: "customer" } }, "none"],
  ["an app that brings in e-mails", "cloud", { creator: { displayName: "Mail", accountType: "app" } }, "none"],
  ["nobody who is signed in", "cloud", { creator: null, reporter: null }, "none"],
  ["anybody in the service desk of a server", "server", { project: { projectTypeKey: "service_desk" } }, "none"],
] as const)("an issue on Jira by %s says so", async (_, deployment, malformed, access) => {
  const { jira, tracker } = aScene(deployment);
  Object.assign(jira.openIssue({ summary: "An issue" }), { malformed });
  const [issue] = await tracker.get(["1"]);
  expect(issue?.author?.access).toBe(access);
});

for (const deployment of BOTH) {
  describeTrackerContract({
    name: `the tracker jira on a ${deployment}`,
    special: { labels: ["needs:review", "a,b", "42", "#hash", "true"], priority: "high" },
    create: () => {
      const { jira, tracker } = aScene(deployment);
      return {
        tracker,
        countCalls: () => jira.seen.length,
        commentsOf: (id) => jira.issue(id).comments.map(({ body }) => readText(body as string)),
        seed: async ({ title, body, labels, priority, dependsOn, state }) => {
          const name = jira.world.priorities.find((one) => one.toLowerCase() === priority);
          const issue = jira.openIssue({
            summary: title,
            description: textOf(deployment, body),
            labels,
            status: state === "closed" ? "Done" : "To Do",
            ...(name === undefined ? {} : { priority: name }),
          });
          for (const id of dependsOn) jira.block(jira.issue(id), issue);
          return issue.key;
        },
        seedMalformed: async () => {
          const issue = jira.openIssue({ summary: "Broken" });
          issue.malformed = { labels: null };
          return issue.key;
        },
      };
    },
  });
}

describe.each(BOTH)("the tracker jira on a %s", (deployment) => {
  it("reads every page, and asks once what kind of Jira it is", async () => {
    const { jira, tracker } = aScene(deployment);
    for (let n = 1; n <= 230; n += 1) jira.openIssue({ summary: `Number ${n}` });
    const { issues } = await tracker.list({ state: "open" });
    expect(issues.map(({ id }) => id)).toEqual(Array.from({ length: 230 }, (_, index) => `ENG-${index + 1}`));
    await tracker.list({ state: "closed" });
    expect(jira.seen).toHaveLength(5);
  });

  it("lists only issues of its project that match the configuration, whatever characters it contains", async () => {
    const label = `a"b\\c') OR project = "OPS`.replaceAll(" ", "_");
    const { jira, tracker } = aScene(deployment, { labels: [label], assignee: "ada", jql: 'status = "In Review"' });
    const wanted = { labels: [label], assignee: "ada", status: "In Review" };
    jira.openIssue({ ...wanted, summary: "Wanted" });
    jira.openIssue({ ...wanted, summary: "Of nobody", assignee: "bob" });
    jira.openIssue({ ...wanted, summary: "Without the label", labels: [] });
    jira.openIssue({ ...wanted, summary: "Elsewhere", project: "OPS" });
    jira.openIssue({ ...wanted, summary: "In another status", status: "To Do" });
    expect((await tracker.list({})).issues.map(({ title }) => title)).toEqual(["Wanted"]);
    expect((await tracker.list({ assignee: "nobody" })).issues).toEqual([]);
  });

  it("finds issues by every form of their keys, even in another project", async () => {
    const { jira, tracker } = aScene(deployment);
    jira.openIssue({ summary: "First" });
    jira.openIssue({ summary: "Second", project: "OPS" });
    const ids = ["eng-1", "1", "https://jira.test/browse/ENG-1", "OPS-1", "../myself"];
    expect((await tracker.get(ids)).map(({ id }) => id)).toEqual(["ENG-1", "OPS-1"]);
  });

  it("fails for an unreadable issue requested by key", async () => {
    const { jira, tracker } = aScene(deployment);
    jira.openIssue({ summary: "Broken" }).malformed = { labels: null };
    await expect(tracker.get(["ENG-1"])).rejects.toMatchObject({ category: "bad-response" });
  });

  it("uses the transitions of the workflow, by their target status or name", async () => {
    const { jira, tracker } = aScene(deployment, { states: { working: "in progress", review: "Ask for review" } });
    const issue = jira.openIssue({ summary: "First" });
    await tracker.transition?.("ENG-1", "working");
    expect(issue.status.name).toBe("In Progress");
    await tracker.transition?.("ENG-1", "review");
    expect(issue.status.name).toBe("In Review");
    await tracker.transition?.("ENG-1", "working");
    expect(issue.status.name).toBe("In Review");
    await tracker.edit?.("ENG-1", { state: "closed" });
    await tracker.transition?.("ENG-1", "review");
    expect(issue.status.name).toBe("Done");
    await tracker.edit?.("ENG-1", { state: "open" });
    expect(issue.status.name).toBe("To Do");
  });

  it("reports where the workflow leads if not to the wanted status", async () => {
    const { jira, tracker } = aScene(deployment);
    jira.world.transitions = [{ id: "21", name: "Start work", from: ["To Do"], to: "In Progress" }];
    jira.openIssue({ summary: "First" });
    await expect(tracker.edit?.("ENG-1", { state: "closed" })).rejects.toMatchObject({
      category: "conflict",
      message: "The workflow does not lead ENG-1 from To Do to a closed status.",
      hint: expect.stringContaining("In Progress"),
    });
  });

  it("sets and removes dependencies and assignees, and rejects missing ones before it writes anything", async () => {
    const { jira, tracker } = aScene(deployment);
    for (const summary of ["First", "Second"]) jira.openIssue({ summary });
    const issue = { title: "Third", body: "", labels: [], dependsOn: ["ENG-1"] };
    expect(await tracker.create?.(issue)).toMatchObject({ id: "ENG-3", dependsOn: ["ENG-1"] });
    const edited = await tracker.edit?.("ENG-3", { dependsOn: ["ENG-2"], assignee: "ada@example.com" });
    expect(edited).toMatchObject({ dependsOn: ["ENG-2"], assignee: "ada" });
    expect(await tracker.edit?.("ENG-3", { assignee: null })).toMatchObject({ assignee: null });
    await expect(tracker.create?.({ ...issue, dependsOn: ["ENG-99"] })).rejects.toMatchObject({ code: "task-unknown" });
    await expect(tracker.edit?.("ENG-3", { priority: "asap" })).rejects.toMatchObject({
      code: "usage",
      hint: "It has Highest, High, Medium, Low, Lowest.",
    });
    expect(jira.world.issues).toHaveLength(3);
  });

  it("edits no comment of another account, even if it carries our mark", async () => {
    const { jira, tracker } = aScene(deployment);
    const { comments } = jira.openIssue({ summary: "First" });
    await tracker.comment?.("ENG-1", { key: "session demo-1", text: "Started `demo-1`" });
    const [own] = comments;
    const copy = { id: "1", body: own?.body, author: addPerson(jira.world, "mallory") };
    comments.unshift(copy);
    await tracker.comment?.("ENG-1", { key: "session demo-1", text: "Merged with [#3](https://forge.test/3)" });
    expect(comments).toHaveLength(2);
    expect(JSON.stringify(copy.body)).toContain("Started");
    expect(JSON.stringify(own?.body)).toContain("Merged");
  });

  it.each([
    ["a server error", { kind: "status", status: 502, times: 2 }, { category: "unavailable" }],
    ["a connection that breaks", { kind: "hang-up", times: 2 }, { category: "unavailable" }],
    ["no answer", { kind: "hang" }, { category: "timeout", code: "timeout" }],
    ["a truncated answer", { kind: "truncated" }, { category: "bad-response" }],
    ["no permission", { kind: "status", status: 403 }, { category: "auth" }],
    ["a rate limit", { kind: "secondary-limit", retryAfter: 7 }, { category: "rate-limited", retryAfterMs: 7000 }],
  ] as const)("categorizes %s", async (_name, fault, wanted) => {
    const { jira, tracker } = aScene(deployment);
    jira.faults.add({ on: /search/, ...fault });
    await expect(tracker.list({})).rejects.toMatchObject({ plugin: "jira", ...wanted });
  });

  it("does not resend a write whose answer was lost", async () => {
    const { jira, tracker } = aScene(deployment);
    jira.faults.add({ on: /^POST .*issue$/, kind: "lost-answer" });
    const created = tracker.create?.({ title: "First", body: "", labels: [], dependsOn: [] });
    await expect(created).rejects.toMatchObject({ category: "unknown-outcome" });
    expect(jira.world.issues).toHaveLength(1);
  });

  it("puts its token into no error and no log line", async () => {
    const { jira, tracker, logged } = aScene(deployment);
    jira.revoke();
    const failure = (await tracker.list({}).catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ category: "auth", hint: expect.stringContaining("JIRA_API_TOKEN") });
    expect(`${failure.stack}${JSON.stringify(failure)}${JSON.stringify(logged)}`).not.toContain(jira.token);
  });
});

describe("`ao doctor` on the tracker jira", () => {
  it("reports whose token it is, and which project", async () => {
    const { tracker } = aScene("cloud", { states: { working: "In progress" } });
    const text = "project ENG on jira.test as ao, token of JIRA_EMAIL and JIRA_API_TOKEN";
    expect(await tracker.examine?.()).toEqual({ state: "ok", text, fix: null });
  });

  it.each([
    ["there is no URL", "fail", {}, {}, "address of your Jira is not set", "JIRA_BASE_URL"],
    ["there is no token", "fail", {}, { JIRA_BASE_URL: "https://jira.test" }, "no JIRA_API_TOKEN", "JIRA_API_TOKEN"],
    ["the project does not exist", "fail", { project: "WEB" }, undefined, "/project/WEB", "`project`"],
    ["a status does not exist", "warn", { states: { review: "QA" } }, undefined, "no status QA", "In Review"],
  ])("reports that %s", async (_name, state, settings, env, text, fix) => {
    const { tracker } = aScene("server", settings, env);
    expect(await tracker.examine?.()).toMatchObject({
      state,
      text: expect.stringContaining(text),
      fix: expect.stringContaining(fix),
    });
  });
});

describe("texts of Jira", () => {
  it.each([
    ["a", '"a"'],
    [`x" OR project = "OPS`, '"x\\" OR project = \\"OPS"'],
    ["back\\slash", '"back\\\\slash"'],
    ["two\nlines", '"two lines"'],
  ])("quotes %j as %s", (text, quoted) => expect(quote(text)).toBe(quoted));

  it("converts text from Jira's editor to Markdown", () => {
    const text = (value: string, ...marks: string[]) => ({
      type: "text",
      text: value,
      marks: marks.map((type) => ({ type })),
    });
    const paragraph = (...content: object[]) => ({ type: "paragraph", content });
    const item = (value: string) => ({ type: "listItem", content: [paragraph(text(value))] });
    const content = [
      { type: "heading", attrs: { level: 2 }, content: [text("Steps")] },
      { type: "orderedList", content: [item("Open"), item("Crash")] },
      paragraph(
        text("Really", "strong"),
        text(": "),
        { type: "mention", attrs: { text: "@ada" } },
        { type: "hardBreak" },
        text("now", "em"),
      ),
      { type: "codeBlock", attrs: { language: "ts" }, content: [text("const a = 1;")] },
      { type: "mediaSingle", content: [{ type: "media", attrs: { id: "1" } }] },
      { type: "blockquote", content: [paragraph(text("said"))] },
    ];
    expect(fromAdf({ type: "doc", content } as Parameters<typeof fromAdf>[0])).toBe(
      "## Steps\n\n1. Open\n2. Crash\n\n**Really**: @ada\n_now_\n\n```ts\nconst a = 1;\n```\n\n\n\n> said",
    );
  });
});
