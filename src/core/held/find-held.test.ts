import { describe, expect, it } from "vitest";
import { findHeld, manifestsOf, type Versions } from "./find-held.ts";
import { describeHeld, type HeldRule } from "./held.ts";
import { CONFIGURATION_FILES, RULE_FILES } from "./rule-files.ts";

const FILES: HeldRule["files"] = [
  ...CONFIGURATION_FILES.map((glob) => ({ glob, source: { kind: "configuration" } as const })),
  ...RULE_FILES.map((glob) => ({ glob, source: { kind: "rules" } as const })),
];

function ruleFor(...runs: readonly string[]): HeldRule {
  return { key: "k", files: FILES, commands: runs.map((run) => ({ run, source: { kind: "check", name: "test" } })) };
}

function held(
  run: string,
  changed: readonly string[],
  manifests: readonly Partial<Versions>[] = [],
): readonly string[] {
  const versions = manifests.map((one): Versions => {
    const base = one.base ?? null;
    return { path: "package.json", base, before: base, after: null, ...one };
  });
  return findHeld(ruleFor(run), { changed, manifests: versions }).paths.map(({ path, entry }) =>
    entry === undefined ? path : `${path} ${entry}`,
  );
}

describe("files that are always held", () => {
  it.each([
    "agent-orchestrator.yaml",
    "web/agent-orchestrator.yaml",
    ".ao/issues/1-x.md",
    ".ao/hooks.mjs",
    ".worktreeinclude",
    "CLAUDE.md",
    "claude.md",
    "web/CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    "QWEN.md",
    ".cursor/rules",
    ".cursor/rules/a.mdc",
    ".cursorrules",
    ".claude/settings.json",
    ".CLAUDE/settings.json",
    "web/.claude/skills/x/SKILL.md",
    ".codex/config.toml",
    ".github/copilot-instructions.md",
    ".github/instructions/a.instructions.md",
    "opencode.json",
    ".opencode/plugin/a.ts",
    ".mcp.json",
    ".goosehints",
    ".aider.conf.yml",
  ])("%s", (path) => {
    expect(held("true", [path, "src/a.ts"])).toEqual([path]);
  });

  it("but not others", () => {
    const others = [
      "src/a.ts",
      "docs/claude.md.txt",
      "README.md",
      ".github/workflows/ci.yml",
      "package.json",
      "ao/a.md",
    ];
    expect(held("true", others)).toEqual([]);
  });
});

describe("a path in a check's command", () => {
  it.each([
    ["./check.sh", "check.sh"],
    ["bash ci/run.sh --fast", "ci/run.sh"],
    ["node scripts/check.mjs && true", "scripts/check.mjs"],
    ["node ./scripts/check", "scripts/check.js"],
    ["sh -c 'cd web && ./check.sh'", "web/check.sh"],
    ['bash -c "bash \\"ci/a b.sh\\""', "ci/a b.sh"],
    [". ci/env.sh; npm test", "ci/env.sh"],
    ["tsc -p tools/tsconfig.json", "tools/tsconfig.json"],
    ["vitest --config=ci/vitest.ts", "ci/vitest.ts"],
    ["CONFIG=ci/a.json run", "ci/a.json"],
    ["$PWD/ci/run.sh", "ci/run.sh"],
    ["python3 -m tools.check", "tools/check.py"],
    ["python3 -m tools.check", "tools/check/__main__.py"],
    ["pytest tests/test_a.py::test_b", "tests/test_a.py"],
    ["echo $(ci/count.sh)", "ci/count.sh"],
    ["web/../ci/run.sh", "ci/run.sh"],
    ["npm --prefix web run x; ci/run.sh", "web/ci/run.sh"],
  ])("%s holds %s", (run, path) => {
    expect(held(run, ["src/other.ts", path])).toEqual([path]);
  });

  it.each([
    ["node --test test/", "test/a.test.js"],
    ["npm test", "src/test.ts"],
    ["eslint src", "src/a.ts"],
  ])("%s does not hold %s", (run, path) => {
    expect(held(run, [path])).toEqual([]);
  });
});

const scripts = (own: Readonly<Record<string, string>>, rest: object = {}): string =>
  JSON.stringify({ ...rest, scripts: own });

describe("of package.json", () => {
  const base = scripts({ test: "node tools/test.mjs && npm run types", types: "tsc -p .", start: "node ." });
  const change = (run: string, after: string | null) => held(run, ["package.json"], [{ base, after }]);

  it("the script that runs is held, and those that it runs", () => {
    expect(change("npm test", scripts({ test: "true", types: "tsc -p .", start: "node ." }))).toEqual([
      "package.json test",
    ]);
    expect(change("npm test", scripts({ ...JSON.parse(base).scripts, types: "true" }))).toEqual(["package.json types"]);
    expect(change("npm test", scripts({ ...JSON.parse(base).scripts, pretest: "true" }))).toEqual([
      "package.json pretest",
    ]);
    expect(change("npm ci && npm test", scripts({ ...JSON.parse(base).scripts, postinstall: "x" }))).toEqual([
      "package.json postinstall",
    ]);
    expect(change("npm test", null)).toEqual(["package.json test", "package.json types"]);
    expect(change("npm test", "{")).toEqual(["package.json"]);
  });

  it.each([
    "npm t",
    "npm run test",
    "pnpm test",
    "yarn test",
    "yarn run test",
    "bun run test",
    "node --run test",
    "run-s tes*",
    "sh -c 'npm test'",
  ])("%s runs it", (run) => {
    expect(change(run, scripts({ ...JSON.parse(base).scripts, test: "true" }))).toEqual(["package.json test"]);
  });

  it("another script, a dependency or a version is not held", () => {
    const other = scripts({ ...JSON.parse(base).scripts, start: "node other", lint: "eslint" }, { version: "2" });
    expect(change("npm test", other)).toEqual([]);
    expect(change("npm test -- start", other)).toEqual([]);
    expect(change("node --test", scripts({}))).toEqual([]);
  });

  it("a path that the script names is held, too", () => {
    expect(held("npm test", ["tools/test.mjs"], [{ base, after: base }])).toEqual(["tools/test.mjs"]);
    expect(held("npm start", ["tools/test.mjs"], [{ base, after: base }])).toEqual([]);
  });

  it("a script that the base changed meanwhile is not the change's", () => {
    const versions = { base: scripts({ test: "new" }), before: base, after: base };
    expect(held("npm test", ["package.json"], [versions])).toEqual([]);
  });

  it("other packages are held only if something runs there", () => {
    const nested = { path: "web/package.json", base, after: scripts({ test: "true" }) };
    expect(held("npm test", ["web/package.json"], [nested])).toEqual([]);
    for (const run of ["cd web && npm test", "npm --prefix web test", "npm test -w web", "pnpm -r test"]) {
      expect(held(run, ["web/package.json"], [nested]), run).toContain("web/package.json test");
    }
  });
});

describe("of a Makefile", () => {
  const base =
    "CC = gcc\n\n.PHONY: test deps\ntest: deps\n\t@node tools/test.mjs\n\t$(MAKE) lint\n\ndeps:\n\tnpm ci\nlint:\n\teslint\nrun: ; ./run\n";
  const change = (after: string, run = "make test") => held(run, ["Makefile"], [{ path: "Makefile", base, after }]);

  it.each([
    ["its recipe", base.replace("@node tools/test.mjs", "true")],
    ["what it needs", base.replace("npm ci", "true")],
    ["what its recipe makes", base.replace("eslint", "true")],
    ["a variable", base.replace("gcc", "true")],
    ["an included file", `include x.mk\n${base}`],
    ["a variable of the target", `${base}test: export PATH = bin\n`],
    ["a second rule of the target", `${base}test: evil\nevil:\n\ttrue\n`],
  ])("the target that runs is held with %s", (_, after) => {
    expect(change(after)).toEqual(["Makefile"]);
  });

  it("another target is not", () => {
    expect(change(`${base.replace("./run", "./walk").replace("test deps", "test deps new")}new:\n\tx\n`)).toEqual([]);
  });

  it("without a target the first one runs", () => {
    expect(change(base.replace("npm ci", "true"), "make")).toEqual(["Makefile"]);
    expect(change(base.replace("./run", "true"), "make")).toEqual([]);
  });

  it("a path in its recipe is held, and so is a file that make prefers", () => {
    expect(held("make test", ["tools/test.mjs"], [{ path: "Makefile", base, after: base }])).toEqual([
      "tools/test.mjs",
    ]);
    const preferred = { path: "GNUmakefile", after: "test:\n\ttrue\n" };
    expect(held("make test", ["GNUmakefile"], [preferred])).toEqual(["GNUmakefile"]);
  });
});

it("reads only files whose entries can run", () => {
  expect(manifestsOf(ruleFor("node --test", "./check.sh"), ["package.json"])).toEqual([]);
  const names = ["package.json", "GNUmakefile", "makefile", "Makefile"];
  expect(manifestsOf(ruleFor("npm test"), ["web/package.json", "a.ts"])).toEqual([...names, "web/package.json"]);
  expect(manifestsOf(ruleFor("make -C web"), [])).toEqual([...names, ...names.map((name) => `web/${name}`)]);
});

it("names a few of many, and says why", () => {
  const many = Array.from({ length: 50 }, (_, at) => `.claude/${at}.md`);
  const facts = findHeld(ruleFor("npm test"), { changed: many, manifests: [] });
  expect([facts.paths.length, facts.count]).toEqual([20, 50]);
  expect(facts.paths.slice(0, 1).map(describeHeld)).toEqual([".claude/0.md (rules for agents)"]);
  const source = { kind: "check", name: "unit" } as const;
  expect(describeHeld({ path: "package.json", entry: "test", source })).toBe(
    "package.json (script `test`: check `unit` runs it)",
  );
});

it("takes no longer than linear time for hostile files", () => {
  const hostile = [" ".repeat(200_000), `a${" ".repeat(200_000)}`, "a:".repeat(100_000), "\\\n".repeat(100_000)];
  for (const after of hostile) {
    expect(held("make", ["Makefile"], [{ path: "Makefile", base: "a:\n\tx\n", after }]).length).toBe(1);
  }
});
