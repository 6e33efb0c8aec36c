import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { claude, claudeEnvironment } from "../../agents/support/claude.ts";
import { type ModelServer, startModelServer } from "../../agents/support/model-server.ts";
import { call } from "../../support/api.ts";
import { until } from "../../support/until.ts";
import { makePlace, root, run } from "../cli/shell.ts";
import { makeBuiltClone } from "../demo/clone.ts";
import { carefulModel } from "./careful-model.ts";

const FILES = {
  "greeting.js": 'export const greeting = "Helo";\n',
  "greeting.test.js":
    'import { equal } from "node:assert";\nimport { greeting } from "./greeting.js";\nequal(greeting, "Hello");\n',
  "package.json": '{ "name": "my-app", "type": "module", "scripts": { "test": "node greeting.test.js" } }\n',
};

interface Person {
  readonly env: Readonly<Record<string, string>>;
  readonly repo: string;
  readonly aoHome: string;
  readonly model: ModelServer;
  /** Types a command in the repository; it must succeed. */
  type(line: string): Promise<string>;
}

/** Somebody with Node.js, git, Claude Code, and a repository whose only test is red, who has never run ao. */
async function meetNewcomer(): Promise<Person> {
  const { dir, aoHome, env: plain } = makePlace();
  const model = await startModelServer(carefulModel(FIX));
  onTestFinished(() => model.close());
  const bin = join(dir, "bin");
  mkdirSync(bin);
  symlinkSync(String(claude), join(bin, "claude"));
  const home = String(plain["HOME"]);
  // Only common programs: another agent on this machine's PATH would make `ao start` ask.
  const path = [join(dir, "prefix/bin"), bin, dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const env = { ...plain, ...claudeEnvironment(model), PATH: path };
  const repo = makeRepo(join(home, "code/my-app"), FILES);
  git(repo, "config", "user.name", "Dana Dev");
  git(repo, "config", "user.email", "dana@example.com");
  const type = async (line: string): Promise<string> => {
    const typed = await run("sh", ["-c", line], { cwd: repo, env });
    expect(typed, line).toMatchObject({ code: 0 });
    return typed.out;
  };
  return { env, repo, aoHome, model, type };
}

const FIX = {
  title: "Fix the greeting",
  edit: { path: "greeting.js", text: 'export const greeting = "Hello";\n' },
  commit: 'git add -A && git commit -m "Spell the greeting correctly"',
};

/**
 * A clone of the commit that is tested, installed the way README says. Its packages and its build are those of this tree, which `npm test` has
 * just made itself; only `npm run test:full` makes them once more.
 */
async function install({ env }: Person, prefix: string): Promise<void> {
  const clone = isFull ? join(dirname(prefix), "clone") : makeBuiltClone(dirname(prefix));
  if (isFull) git(dirname(prefix), "clone", "-q", root, clone);
  const own = { ...process.env, ...env, npm_config_prefix: prefix } as Record<string, string>;
  const typed = await run("npm", ["install", "-g", "."], { cwd: clone, env: own });
  expect(typed, "npm install -g .").toMatchObject({ code: 0 });
}

describe.skipIf(claude === null)("the first hour with Claude Code (npm run test:agents installs it)", () => {
  it("goes from a fresh clone to a merged pull request with ao start, new, approve and merge", async () => {
    const person = await meetNewcomer();
    const { repo, type } = person;
    const prefix = join(dirname(String(person.env["HOME"])), "prefix");
    await install(person, prefix);

    expect(await type("ao start")).toContain("claude-code");
    await type(`ao new "${FIX.title}"`);
    await until("a pull request that needs a review", () => hasStatus(person, "review-pending"));
    await type("ao approve my-app-fix-the-greeting");
    await type("ao merge my-app-fix-the-greeting");

    expect(git(repo, "log", "--format=%s", "-1", "main")).toBe(`${FIX.title} (#1)\n`);
    expect(readFileSync(join(repo, "greeting.js"), "utf8")).toBe(FIX.edit.text);
    expect(git(repo, "status", "--porcelain")).toBe("");
  });

  it("uses a model that commits only when asked to", async () => {
    const { repo, env } = await meetNewcomer();
    const flags = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"];
    const alone = await run(String(claude), ["-p", FIX.title, ...flags], { cwd: repo, env });
    expect(alone, "claude -p").toMatchObject({ code: 0 });
    expect(git(repo, "log", "--format=%s")).toBe("first\n");
    expect(readFileSync(join(repo, "greeting.js"), "utf8")).toBe(FIX.edit.text);
  });
});

/** Watches from outside, so that only the commands of the story are typed. */
async function hasStatus({ aoHome }: Person, wanted: string): Promise<boolean> {
  const file = join(aoHome, "daemon.json");
  if (!existsSync(file)) return false;
  const { socket } = JSON.parse(readFileSync(file, "utf8")) as { socket: string };
  const { body } = await call<{ data: readonly { status: string }[] }>(socket, "GET", "/api/sessions");
  const [session] = body.data;
  return session?.status === wanted;
}
