import { describe, expect, it } from "vitest";
import { detectChecks, type ProjectFiles } from "./detect-checks.ts";

function check(files: Partial<ProjectFiles>): unknown {
  const found = detectChecks({ names: [], packageJson: null, makefile: null, ...files });
  return Object.fromEntries(Object.entries(found).map(([name, { run }]) => [name, run]));
}

const scripts = (all: Readonly<Record<string, unknown>>): string => JSON.stringify({ scripts: all });

describe("checks of a project without configured ones", () => {
  it("are the scripts test, lint and typecheck of its package", () => {
    const packageJson = scripts({ test: "vitest", lint: "biome", typecheck: "tsc", build: "tsc" });
    const all = { test: "npm test", lint: "npm run lint", typecheck: "npm run typecheck" };
    expect(check({ names: ["package.json"], packageJson })).toEqual(all);
  });

  it.each([
    ["pnpm-lock.yaml", "pnpm test"],
    ["yarn.lock", "yarn test"],
    ["package-lock.json", "npm test"],
  ])("are run with the package manager of %s", (lockfile, run) => {
    expect(check({ names: ["package.json", lockfile], packageJson: scripts({ test: "x" }) })).toEqual({ test: run });
  });

  it("are not a new package's placeholder test", () => {
    const packageJson = scripts({ test: 'echo "Error: no test specified" && exit 1' });
    expect(check({ names: ["package.json"], packageJson })).toEqual({});
  });

  it.each(["", "{", "[]", "null", '{ "scripts": null }', '{ "scripts": { "test": 1 } }'])(
    "are none in the package.json %j",
    (packageJson) => {
      expect(check({ names: ["package.json"], packageJson })).toEqual({});
    },
  );

  it.each([
    ["test:\n\tgo test", "make test"],
    [".PHONY: test\nall: test\n\ntest: build\n\ttrue", "make test"],
    ["test ::\n", "make test"],
  ])("are the rule of a Makefile: %j", (makefile, run) => {
    expect(check({ names: ["Makefile", "go.mod"], makefile })).toEqual({ test: run });
  });

  it.each(["all: test\n", "test := 1\n", "test:=1\n", "testing:\n"])("are not in the Makefile %j", (makefile) => {
    expect(check({ names: ["Makefile"], makefile })).toEqual({});
  });

  it.each([
    [["Cargo.toml"], null, "cargo test"],
    [["go.mod"], null, "go test ./..."],
    [["pytest.ini"], null, "python3 -m pytest"],
    [["conftest.py"], null, "python3 -m pytest"],
    [["pyproject.toml"], "[tool.pytest.ini_options]\n", "python3 -m pytest"],
    [["pyproject.toml"], '[project.optional-dependencies]\ndev = ["pytest>=8"]\n', "python3 -m pytest"],
  ])("are the usual ones for %j", (names, pyproject, run) => {
    expect(check({ names, pyproject })).toEqual({ test: run });
  });

  it("are none if nothing is known", () => {
    expect(check({ names: ["README.md", "pyproject.toml"], pyproject: "[project]\n" })).toEqual({});
  });
});
