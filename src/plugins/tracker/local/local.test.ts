import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Host, HostFs } from "../../../ports/host.ts";
import type { IssuePatch, NewIssue, Tracker } from "../../../ports/tracker.ts";
import { describeTrackerContract } from "../../../testing/contracts/tracker.contract.ts";
import { writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { local } from "./local.ts";

interface Scene {
  readonly tracker: Required<Tracker>;
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  read(name: string): string;
  countCalls(): number;
}

function aScene(projectPath = join(tempDir(), "my 'project' ü")): Scene {
  const host = createNodeHost({ log: createSilentLog() });
  let calls = 0;
  const fs = new Proxy(host.fs, {
    get: (target, name: keyof HostFs) => {
      calls += 1;
      return target[name];
    },
  });
  const counted: Host = { ...host, fs };
  const folder = join(projectPath, ".ao", "issues");
  return {
    tracker: local.create({}, counted, { home: projectPath, projectPath }) as Required<Tracker>,
    folder,
    write: (files) => writeFiles(folder, files),
    read: (name) => readFileSync(join(folder, name), "utf8"),
    countCalls: () => calls,
  };
}

const PLAIN: NewIssue = { title: "Plain", body: "", labels: [], dependsOn: [] };

const NO_COMMENTS = "a file holds the issue alone; what ao does is in its own log on the same machine";

describeTrackerContract({
  name: "local",
  skip: [
    { test: "writes one comment per key, and replaces its text", reason: NO_COMMENTS },
    { test: "refuses to comment on a missing issue", reason: NO_COMMENTS },
  ],
  create: () => {
    const scene = aScene();
    let count = 0;
    return {
      tracker: scene.tracker,
      countCalls: scene.countCalls,
      seed: async ({ title, state, body, ...rest }) => {
        count += 1;
        // JSON is YAML: what the file contains does not depend on the code under test.
        const front = Object.entries({ title, state, ...rest }).map(
          ([key, value]) => `${key}: ${JSON.stringify(value)}\n`,
        );
        scene.write({ [`${count}-seed.md`]: `---\n${front.join("")}---\n\n${body}\n` });
        return String(count);
      },
      seedMalformed: async () => {
        scene.write({ "900-broken.md": "---\ntitle: fine\nlabels: [open\n---\n" });
        return "900-broken.md";
      },
    };
  },
});

describe("the file of a created issue", () => {
  it("has a number, a short name and readable front matter", async () => {
    const { tracker, folder, read } = aScene();
    const title = `Größe: "é" / ${"wörd ".repeat(20)}`;
    await tracker.create({ title, body: "Do it.\n", labels: ["bug"], dependsOn: ["#7", "ENG-1"], priority: "high" });
    const [name, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(name).toBe("1-größe-é-wörd-wörd-wörd-wörd-wörd-wörd-wörd-wörd-wö.md");
    expect(read(name ?? "")).toBe(
      [
        "---",
        `title: 'Größe: "é" / ${"wörd ".repeat(20).trim()}'`,
        "state: open",
        "labels: [bug]",
        "priority: high",
        "dependsOn: [7, ENG-1]",
        "---",
        "",
        "Do it.\n\n",
      ].join("\n"),
    );
  });

  it("gets the number after the highest, and a name even without letters", async () => {
    const { tracker, folder, write } = aScene();
    write({ "041-old.md": "", "9.md": "" });
    expect((await tracker.create({ ...PLAIN, title: "?!" })).id).toBe("42");
    expect(existsSync(join(folder, "42-issue.md"))).toBe(true);
  });

  it("is separate for each of several daemons that create at once, without gaps", async () => {
    const path = tempDir();
    const scenes = [aScene(path), aScene(path), aScene(path)];
    const created = await Promise.all(
      Array.from({ length: 18 }, (_, index) => scenes[index % 3]?.tracker.create({ ...PLAIN, title: `T${index}` })),
    );
    const ids = created.map((issue) => Number(issue?.id)).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
    expect(readdirSync(join(path, ".ao", "issues"))).toHaveLength(18);
  });

  it("is not written without a title", async () => {
    const { tracker, folder } = aScene();
    await expect(tracker.create({ ...PLAIN, title: " \n " })).rejects.toMatchObject({ code: "usage" });
    expect(existsSync(folder)).toBe(false);
  });
});

describe("an issue is found by", () => {
  it.each(["42", "#42", "GH-42", "gh-42", " 042 "])("%j", async (id) => {
    const { tracker, write } = aScene();
    write({ "42-x.md": "" });
    expect((await tracker.get([id, "42"])).map((issue) => issue.id)).toEqual(["42"]);
  });
});

describe("a file written by hand", () => {
  const cases: [string, string, string, object][] = [
    [
      "without front matter gets its title from its heading",
      "1-x.md",
      "Text\n\n## Fix it ##\nmore\n",
      { title: "Fix it" },
    ],
    ["without any title gets it from its name", "1-fix-the_login.md", "Text", { title: "fix the login", body: "Text" }],
    ["may have only a number", "7.md", "", { id: "7", title: "7.md", state: "open", labels: [] }],
    ["may have an empty front matter", "1-x.md", "---\n---\nBody\n", { title: "x", body: "Body" }],
    [
      "may contain numbers and ids in dependsOn",
      "1-x.md",
      "---\ndependsOn: [3, '#4', GH-5, 007]\n---\n",
      { dependsOn: ["3", "4", "5", "7"] },
    ],
    [
      "may name one dependency, or several with commas",
      "1-x.md",
      "---\ndependsOn: 3, 4\nlabels: bug\n---\n",
      { dependsOn: ["3", "4"], labels: ["bug"] },
    ],
    [
      "may contain scalars other than strings",
      "1-x.md",
      "---\ntitle: 1.10\npriority: 2\nassignee: ~\n---\n",
      { title: "1.10", priority: "2", assignee: null },
    ],
    [
      "may come from Windows",
      "1-x.md",
      "\uFEFF---\r\ntitle: W\r\nstate: Done\r\n---\r\n\r\na\r\nb\r\n",
      { title: "W", state: "closed", body: "a\r\nb" },
    ],
  ];
  it.each(cases)("%s", async (_fact, name, text, wanted) => {
    const { tracker, write } = aScene();
    write({ [name]: text });
    const { issues, problems } = await tracker.list({});
    expect(problems).toEqual([]);
    expect(issues).toMatchObject([wanted]);
  });

  const broken: [string, string, string, RegExp][] = [
    ["bad YAML", "1-x.md", "---\ntitle: a\nlabels: [b\n---\n", /^1-x\.md:\d: /],
    ["a key twice", "1-x.md", "---\ntitle: a\ntitle: b\n---\n", /^1-x\.md:3: /],
    ["an unknown state", "1-x.md", "---\ntitle: a\n\nstate: someday\n---\n", /^1-x\.md:4: the state "someday"/],
    ["a title that is a list", "1-x.md", "---\n# note\ntitle: [a]\n---\n", /^1-x\.md:3: title is not a text/],
    ["labels that are a map", "1-x.md", "---\nlabels:\n  a: b\n---\n", /^1-x\.md:3: labels is not a list/],
    ["a front matter that is a list", "1-x.md", "---\n- a\n---\n", /^1-x\.md:2: /],
    ["no end of the front matter", "1-x.md", "---\ntitle: a\n", /^1-x\.md:1: .*closing/],
    ["no number", "fix.md", "", /^fix\.md: .*number/],
    ["too much text", "1-x.md", "x".repeat(1024 * 1024 + 1), /larger than 1 MiB/],
  ];
  it.each(broken)("with %s is reported", async (_fact, name, text, problem) => {
    const { tracker, write } = aScene();
    write({ [name]: text, "2-good.md": "" });
    const { issues, problems } = await tracker.list({});
    expect(issues.map((issue) => issue.id)).toEqual(["2"]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it("that cannot be read is an error when requested, not an absent issue", async () => {
    const { tracker, write } = aScene();
    write({ "1-x.md": "---\nstate: someday\n---\n" });
    await expect(tracker.get(["1"])).rejects.toMatchObject({ category: "bad-response" });
  });

  it("with a number that another file has is reported; the first by name counts", async () => {
    const { tracker, write } = aScene();
    write({ "1-a.md": "", "01-b.md": "", "1-c.md": "" });
    const { issues, problems } = await tracker.list({});
    expect(issues.map((issue) => issue.title)).toEqual(["b"]);
    expect(problems).toEqual([expect.stringMatching(/^1-a\.md/), expect.stringMatching(/^1-c\.md/)]);
  });

  it("that is a link is reported and not followed", async () => {
    const { tracker, folder } = aScene();
    mkdirSync(folder, { recursive: true });
    symlinkSync("/etc/hostname", join(folder, "1-x.md"));
    expect(await tracker.list({})).toEqual({ issues: [], problems: ["1-x.md: it is not a plain file."] });
  });

  it("that is not an issue is left alone", async () => {
    const { tracker, write } = aScene();
    write({ "README.md": "# Issues", "notes.txt": "", ".1-x.md.swp": "", ".#1-x.md": "" });
    expect(await tracker.list({})).toEqual({ issues: [], problems: [] });
  });
});

describe("an edit", () => {
  const TEXT = [
    "---",
    "# kept by hand",
    'title: "Old" # the title',
    "custom: {a: 1}",
    "labels:",
    "  # why",
    "  - bug",
    "assignee: ada",
    "---",
    "Body  ",
    "",
    "---",
    "not front matter\t",
    "",
    "",
  ].join("\n");

  async function edited(text: string, patch: IssuePatch): Promise<string> {
    const { tracker, write, read } = aScene();
    write({ "1-x.md": text });
    await tracker.edit("#1", patch);
    return read("1-x.md");
  }

  it("keeps comments, unknown keys, equal values and the body byte for byte", async () => {
    const after = await edited(TEXT, { title: "New", state: "closed", labels: ["bug"], assignee: null });
    expect(after).toBe(TEXT.replace('"Old"', '"New"').replace("assignee: ada\n", "state: closed\n"));
  });

  it("that changes nothing writes nothing", async () => {
    const { tracker, folder, write } = aScene();
    write({ "1-x.md": "---\ntitle:   'Odd'\n---\nBody" });
    const before = statSync(join(folder, "1-x.md"));
    await tracker.edit("1", { title: "Odd", state: "open", body: "Body" });
    expect(statSync(join(folder, "1-x.md")).ino).toBe(before.ino);
  });

  it("replaces the body and the given lists", async () => {
    const after = await edited("---\ntitle: a\nlabels: [x]\n---\n\nold\n", {
      body: "new\nbody",
      labels: ["y", "1"],
      dependsOn: ["#2"],
    });
    expect(after).toBe('---\ntitle: a\nlabels: [y, "1"]\ndependsOn: [2]\n---\n\nnew\nbody\n');
  });

  it("of a body keeps the title that came from the old one, and cannot be mistaken for front matter", async () => {
    const after = await edited("# Fix\n\ntext", { body: "---\nstate: closed\n---" });
    expect(after).toBe("---\ntitle: Fix\n---\n\n---\nstate: closed\n---\n");
  });

  it("adds front matter to a file without it, before its text", async () => {
    expect(await edited("# Fix\n\ntext", { state: "closed" })).toBe("---\nstate: closed\n---\n# Fix\n\ntext");
  });

  it("keeps the file's line endings", async () => {
    const after = await edited("---\r\ntitle: a\r\n---\r\nbody\r\n", { state: "closed" });
    expect(after).toBe("---\r\ntitle: a\r\nstate: closed\r\n---\r\nbody\r\n");
  });
});
