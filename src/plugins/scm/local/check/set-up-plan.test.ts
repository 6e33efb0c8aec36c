import { describe, expect, it } from "vitest";
import { detectSetUp, isDeciding, isPureInstall } from "./set-up-plan.ts";

describe("the set-up of a project", () => {
  const plain = '{ "name": "x" }';
  it.each([
    [["package.json", "package-lock.json"], plain, "npm ci"],
    [["package.json", "npm-shrinkwrap.json"], plain, "npm ci"],
    [["package.json", "pnpm-lock.yaml"], plain, "pnpm install --frozen-lockfile"],
    [["package.json", "yarn.lock"], plain, "yarn install --frozen-lockfile"],
    [["package.json", "yarn.lock", ".yarnrc.yml"], plain, "yarn install --immutable"],
    [["package.json"], '{ "devDependencies": { "a": "1" } }', "npm install --no-audit --no-fund"],
    [["package.json"], '{ "dependencies": {} }', null],
    [["package.json"], "not JSON", null],
    [["package.json"], "null", null],
    [["go.mod", "go.sum"], null, null],
    [[], null, null],
  ])("with the files %j is %j → %s", (names, packageJson, command) => {
    expect(detectSetUp(names, packageJson)).toBe(command);
  });

  it("is determined by manifests and lockfiles in any folder", () => {
    for (const path of ["package.json", "packages/a/package.json", "requirements-dev.txt", ".npmrc"])
      expect(isDeciding(path)).toBe(true);
    for (const path of ["src/index.ts", "package.json.md", "my-package.json"]) expect(isDeciding(path)).toBe(false);
  });

  it.each([
    ["npm ci", [], true],
    ["npm ci --prefer-offline && npm install --no-save", [], true],
    ["npm ci", ['    "prepare": "husky || true",'], true],
    ["npm ci", ['    "prepare": "tsc",'], false],
    ["npm ci", ['    "postinstall": "node build.js"'], false],
    ["npm ci", ['    "install":'], false],
    ["npm ci && npm run build", [], false],
    ["npm ci; make", [], false],
    ["python -m venv .venv", [], false],
  ])("%s with the scripts %j gives the same for the same lockfiles: %s", (command, scripts, pure) => {
    expect(isPureInstall(command, scripts)).toBe(pure);
  });
});
