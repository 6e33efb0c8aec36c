import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DEFAULT_REACTIONS } from "../src/config/default-reactions.ts";
import { isInEffect, listNotInEffect } from "../src/config/in-effect.ts";
import { parseConfig } from "../src/config/parse.ts";
import { detectChangeProblems } from "../src/core/change/problems.ts";
import { CHANGE_PHASES, CHECK_STATES } from "../src/core/change/state.ts";
import { EVENT_CATALOG } from "../src/core/event-catalog.ts";
import { STATED_NEEDS } from "../src/core/need/session-needs.ts";
import { CHANGE_PROBLEMS, SESSION_PROBLEMS } from "../src/core/reaction/detected-problem.ts";
import { REACTION_KEYS } from "../src/core/reaction/reaction-keys.ts";
import { DEFAULT_MESSAGES, messageVariables } from "../src/core/reaction/texts.ts";
import { detectSessionProblems } from "../src/core/session/problems.ts";
import { MESSAGE_STATUSES, RUN_STATES, SESSION_PHASES, WORKSPACE_STATES } from "../src/core/session/state.ts";
import { STREAM_KINDS } from "../src/core/stream.ts";
import { aQuestion, aSession } from "../src/testing/builders.ts";
import { aChange, aCheckRun, aPolicy, aRule } from "../src/testing/change-builders.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The words in backticks in the first cells of the tables under a heading. */
function rowsUnder(text: string, heading: string): readonly string[] {
  const sections = text.split(/^(?=#{2,3} )/m);
  const section = sections.find((one) => one.split("\n")[0]?.replace(/^#+ /, "") === heading);
  if (section === undefined) throw new Error(`there is no heading "${heading}"`);
  const firstCells = [...section.matchAll(/^\| ((?:\\\||[^|])*) \|/gm)].map(([, cell]) => cell ?? "");
  return firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ""));
}

/** The source of one exported union or interface, from its name to the end of the statement at the left margin. */
function declaration(path: string, name: string): string {
  const found = new RegExp(
    `export (?:type|interface) ${name}\\b[\\s\\S]*?(?:;|^})\\n(?=\\n|$|export|/\\*\\*)`,
    "m",
  ).exec(read(path));
  if (found === null) throw new Error(`${path} has no ${name}`);
  return found[0];
}

function fieldWords(source: string, field: "type" | "kind"): readonly string[] {
  return [...source.matchAll(new RegExp(`readonly ${field}: "([^"]+)"`, "g"))].map(([, word]) => word ?? "");
}

function words(source: string): readonly string[] {
  return [...source.replace(/\/\*\*[\s\S]*?\*\//g, "").matchAll(/"([a-z-]+)"/g)].map(([, word]) => word ?? "");
}

function field(source: string, name: string): string {
  return new RegExp(`readonly ${name}:([^;]*);`).exec(source)?.[1] ?? "";
}

const sorted = (list: readonly string[]): readonly string[] => [...new Set(list)].sort();

describe("docs/lifecycle.md", () => {
  const page = read("docs/lifecycle.md");
  const status = declaration("src/core/session/status.ts", "SessionStatus");
  const deciders = [
    "require",
    "project/decide",
    "reaction/decide",
    "session/decide-command",
    "change/decide",
    "need/snooze",
  ].map((name) => `src/core/${name}.ts`);
  const rejections = deciders.flatMap((path) =>
    [...read(path).matchAll(/reject\(\s*"([a-z-]+)"/g)].map(([, code]) => code ?? ""),
  );
  const events = Object.keys(EVENT_CATALOG);

  it.each<[string, readonly string[]]>([
    ["Streams", STREAM_KINDS],
    ["Events", events],
    ["Commands", fieldWords(declaration("src/core/input.ts", "Command"), "type")],
    ["Rejections", rejections],
    ["Observations", fieldWords(declaration("src/core/input.ts", "Observation"), "type")],
    ["Other inputs", [...fieldWords(declaration("src/core/input.ts", "IntentInput"), "type"), "timer"]],
    ["Session phases", SESSION_PHASES],
    ["Workspace states", WORKSPACE_STATES],
    ["Run states", RUN_STATES],
    ["Message states", MESSAGE_STATUSES],
    ["Intents", fieldWords(declaration("src/core/intent.ts", "IntentSpec"), "kind")],
    ["Outcomes", fieldWords(declaration("src/core/intent.ts", "IntentOutcome"), "kind")],
    ["Status", words(field(status, "status"))],
    ["Change phases", CHANGE_PHASES],
    ["Check states", CHECK_STATES],
    ["Change status", words(field(declaration("src/core/change/status.ts", "ChangeStatus"), "status"))],
    ["Problems", [...CHANGE_PROBLEMS, ...SESSION_PROBLEMS]],
    ["Inbox", STATED_NEEDS],
  ])("%s: the table lists exactly what the code has", (heading, ofCode) => {
    expect(ofCode.length).toBeGreaterThan(1);
    expect(sorted(rowsUnder(page, heading))).toEqual(sorted(ofCode));
  });

  it("names exactly the listed rejections in the table of commands", () => {
    const cells = [...page.matchAll(/^\| `[a-z]+\.[a-z-]+` \|[^|]*\|([^|]*)\|$/gm)].map(([, cell]) => cell ?? "");
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z]+-?[a-z]+)`/g)].map(([, code]) => code ?? ""));
    expect(sorted(named.filter((code) => rejections.includes(code)))).toEqual(sorted(rejections));
  });

  it("uses only states and events that exist", () => {
    const known = new Set(events);
    const used = [
      ...page.matchAll(
        /`((?:session|workspace|run|message|agent|intent|task|fleet|daemon|change|check|review|thread|label|merge|branch|base|issue|problem|reaction|notice|project|inbox|question|conversation)\.[a-z-]+)`/g,
      ),
    ];
    const inputs = ["Command", "Observation", "IntentInput"].flatMap((name) =>
      fieldWords(declaration("src/core/input.ts", name), "type"),
    );
    const strange = used.map(([, word]) => word ?? "").filter((word) => !known.has(word) && !inputs.includes(word));
    expect(strange).toEqual([]);
  });
});

describe("the comparison", () => {
  it("reads only rows of the right section", () => {
    const text = "## A\n\n| x | y |\n|---|---|\n| `one` | `no` |\n| `two`, `three` | |\n\n### B\n\n| `four` | |\n";
    expect(rowsUnder(text, "A")).toEqual(["one", "two", "three"]);
    expect(rowsUnder(text, "B")).toEqual(["four"]);
    expect(() => rowsUnder(text, "C")).toThrow();
  });

  it("reads the unions in the code", () => {
    expect(fieldWords(declaration("src/core/input.ts", "IntentInput"), "type")).toEqual([
      "intent.starting",
      "intent.outcome",
    ]);
  });
});

function listPages(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return folder === "." ? [] : listPages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

// Whole paths only: with a folder of the repository in front, and no place-holder in it.
function namedPaths(text: string): readonly string[] {
  const inTicks = [...text.matchAll(/`((?:src|test|docs|scripts|schema|bench)\/[^`\s<>*]*)`/g)].map(
    ([, path]) => path ?? "",
  );
  // What a command writes is not in the repository.
  return inTicks.filter((path) => !path.includes("...") && !/[{}$]|^bench\/results\//.test(path));
}

function brokenLinks(page: string, text: string): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? "");
  return targets.filter((target) => !existsSync(join(root, page, "..", target)));
}

const pages = [...listPages("."), ...listPages("docs")];

describe("every page", () => {
  it.each(pages)("%s names only files that exist", (page) => {
    const text = read(page);
    expect(namedPaths(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(brokenLinks(page, text)).toEqual([]);
  });

  it("is really checked: a missing file is found", () => {
    expect(namedPaths("see `src/core/decide.ts` and `src/<name>.ts` and `docs/nowhere.md`")).toEqual([
      "src/core/decide.ts",
      "docs/nowhere.md",
    ]);
    expect(brokenLinks("docs/x.md", "[a](lifecycle.md) [b](nowhere.md) [c](https://example.org)")).toEqual([
      "nowhere.md",
    ]);
  });
});

describe("docs/user/reactions.md", () => {
  const page = read("docs/user/reactions.md");

  // The variables that the code fills in, for every kind of problem.
  function variablesOfCode(): ReadonlyMap<string, readonly string[]> {
    const policy = aPolicy({
      merging: { approvals: 0 },
      reactions: {
        "agent-stuck": aRule({ thresholdMs: 1 }),
        "agent-idle": aRule({ thresholdMs: 1 }),
        "label-added": aRule(),
        collision: aRule(),
        "main-moved": aRule(),
      },
    });
    const conflict = { kind: "conflict", head: "head1", baseHead: "b1", files: ["a.ts"], reason: null } as const;
    const review = { id: "v", author: "ann", body: { inline: "no" }, head: "head1", at: 1 } as const;
    const comment = { id: "w", author: "ann", body: null, head: "head1", at: 1, verdict: "comment" } as const;
    const bot = { ...comment, id: "b", author: "rabbit[bot]", isBot: true } as const;
    const stranger = { ...comment, id: "s", author: "mallory", access: "none" } as const;
    const said = { id: "w.1.1", author: "ann", byAgent: false, text: { inline: "hm" }, at: 1 };
    const change = aChange({
      checks: { unit: aCheckRun({ state: "failed", attribution: { cause: "branch", base: null } }) },
      reviews: [{ ...review, verdict: "request-changes" }, comment, bot, stranger],
      threads: ["w", "b", "s"].map((id) => {
        const comments = [id === "s" ? { ...said, access: "none" as const } : said];
        return { id: `${id}.1`, reviewId: id, path: null, line: null, comments, resolvedBy: null };
      }),
      mergeability: conflict,
      labels: ["ui"],
    });
    const green = aChange({ checks: { unit: aCheckRun() }, mergeability: { ...conflict, kind: "clean" } });
    const byHand = aPolicy({ merging: { approvals: 0 }, reactions: { "approved-and-green": aRule({ auto: false }) } });
    const used = [{ what: "session", limit: 1, spent: 2 }] as const;
    const collisions = [
      { files: ["a.ts"], with: { kind: "session", id: "demo-other", title: "Other" } },
      { files: ["a.ts"], with: { kind: "base", name: "main", head: "b1" } },
    ] as const;
    const look = { hasChange: false, watchedSince: 0, paused: false, used, collisions };
    const uncommitted = { count: 1, names: ["a.ts"], tree: "t" };
    const forgotten = { turn: 1, head: "h", ahead: 0, at: 1, uncommitted, isForgotten: true };
    const sessions = [
      aSession({ question: aQuestion() }),
      aSession({ run: { state: "ended", code: 1, failures: 9 } }),
      aSession(),
      aSession({ activity: { state: "idle" }, turns: 1 }),
      aSession({ activity: { state: "limited" } }),
      aSession({ activity: { state: "idle" }, turns: 1, branchSeen: forgotten }),
    ];
    const detected = [
      ...detectChangeProblems(change, policy, "b1").open,
      ...detectChangeProblems(green, byHand, "b1").open,
      ...sessions.flatMap((session) => detectSessionProblems(session, policy, look, 9000).open),
    ];
    return new Map(
      detected.map(({ key, variables }) => [key, Object.keys(variables({ mark: "7f3a9c", isAgent: true }))]),
    );
  }

  it("lists the variables that the code fills in for each key", () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (`\{\{[^|]*) \|$/gm)];
    const listed = rows.map(([, key, cell]) => [
      key,
      [...(cell ?? "").matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(variablesOfCode()));
  });

  it("has a row for each implemented reaction and field", () => {
    const built = REACTION_KEYS.filter((key) => isInEffect(["reactions", key]));
    expect(sorted(rowsUnder(page, "Keys"))).toEqual(sorted(built));
    const fields = Object.keys(DEFAULT_REACTIONS["ci-failed"] ?? {}).map((name) => name.replace(/Ms$/, ""));
    const inEffect = fields.filter((name) => isInEffect(["reactions", "ci-failed", name]));
    const cells = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \|$/gm)].map(([, name]) => name ?? "");
    expect(sorted(cells.filter((name) => fields.includes(name)))).toEqual(sorted(inEffect));
  });

  it("is backed by a configuration that rejects any other variable", () => {
    const always = ["problem", "attempt", "again"];
    for (const [key, names] of variablesOfCode()) expect(messageVariables(key)).toEqual([...names, ...always]);
  });

  it("lists every variable used in the default messages", () => {
    const always = ["problem", "attempt", "again"];
    for (const [key, text] of Object.entries(DEFAULT_MESSAGES)) {
      const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? "");
      const known = [...(variablesOfCode().get(key) ?? []), ...always];
      expect(used.filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it("has valid examples", () => {
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");
    expect(examples.length).toBeGreaterThan(3);
    for (const text of examples) {
      const { written } = parseConfig(text, "example.yaml", { env: {} });
      expect(listNotInEffect(written)).toEqual([]);
    }
  });
});

describe("ARCHITECTURE.md", () => {
  it("fits in 250 lines", () => {
    expect(read("ARCHITECTURE.md").split("\n").length).toBeLessThanOrEqual(250);
  });
});

describe("docs/decisions", () => {
  const decisions = readdirSync(join(root, "docs/decisions")).sort();

  it("are numbered without gaps", () => {
    expect(decisions.map((name) => name.slice(0, 4))).toEqual(
      decisions.map((_, index) => String(index + 1).padStart(4, "0")),
    );
  });

  it.each(decisions)("%s has context, decision and consequences", (name) => {
    const headings = [...read(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Context", "Decision", "Consequences"]);
  });
});
