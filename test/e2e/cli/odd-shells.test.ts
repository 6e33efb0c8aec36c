import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { diaryAgent } from "../../support/fleet.ts";
import { combine, inShell, makeOddShells, type OddShell, underUmask } from "../../support/odd-shells.ts";
import { main, makePlace, openShell } from "./shell.ts";

const ESCAPE = "\u001b";

/** From `ao start` to a merged pull request, typed in a shell; returns what differs from one shell to the next only if something is wrong. */
async function story(odd: OddShell): Promise<Record<string, unknown>> {
  const { dir, aoHome, env } = makePlace();
  // The repository is as this person's git makes it.
  const repo = makeRepo(join(dir, "web"), { "README.md": "# web\n", "sub/größe.txt": "1\n" });
  const person = inShell(odd, env);
  const [program, ...args] = underUmask(odd, process.execPath);
  const shell = openShell(join(repo, "sub"), person, [program, ...args, main]);
  mkdirSync(join(dir, "diary"));
  await shell.ok("start", "--no-open", "--detach");
  const set = (key: string, value: string): Promise<string> => shell.ok("config", "set", `projects.web.${key}`, value);
  await set("agentConfig", `{ command: [${JSON.stringify(diaryAgent)}] }`);
  await set("agent", "command");
  await set("env.AO_DIARY", join(dir, "diary"));
  await set("checks", '{ unit: { run: "test -f hello.txt && git status --porcelain && git log --oneline -1" } }');
  const body = "!write hello.txt hello\n!write sub/größe.txt 2\n!commit greet";
  await shell.ok("issue", "new", "Greet", "--body", body);
  await shell.ok("spawn", "1");
  await shell.ok("wait", "web-1", "--for", "pr", "--timeout", "60s");
  await shell.ok("wait", "web-1", "--for", "idle");
  const diff = await shell.ok("pr", "diff", "1");
  const merged = await shell.ok("approve", "1").then(() => shell.ok("merge", "1"));
  const texts = [
    diff,
    merged,
    await shell.ok("list", "--all"),
    await shell.ok("pr", "show", "1"),
    await shell.ok("events"),
  ];
  const inbox = await shell.ok("inbox");
  await shell.ok("stop", "--sessions");
  return {
    merged: merged.replaceAll(/[0-9a-f]{7,}/g, "ID"),
    changed: diff.match(/^[+-].*$/gm),
    inbox,
    hasColors: texts.join("").includes(ESCAPE),
    open: openFiles(aoHome),
    // Read by a git without any settings.
    history: plainGit(repo, "log", "--format=%s|%an", "main"),
    tree: plainGit(repo, "ls-tree", "-r", "-z", "--name-only", "main"),
    hello: plainGit(repo, "show", "main:hello.txt"),
    checkout: plainGit(repo, "-c", `core.autocrlf=${"GIT_CONFIG_GLOBAL" in odd.env}`, "status", "--porcelain"),
  };
}

/** Files of an AO_HOME that others on the machine can open. */
function openFiles(folder: string): readonly string[] {
  if ((statSync(folder).mode & 0o011) === 0) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return openFiles(path);
    return (lstatSync(path).mode & 0o066) === 0 ? [] : [path];
  });
}

function plainGit(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd,
    env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    encoding: "utf8",
  });
}

it("a story ends in the same way in an unusual shell", async () => {
  const shells = makeOddShells(tempDir());
  const homeless = combine([{ env: { HOME: null } }, { env: {}, umask: "000" }, { env: { LC_ALL: "C" } }]);
  const sample = new Map([
    ["all at once", combine([...shells.values()])],
    ["homeless", homeless],
  ]);
  const [usual, ...others] = await Promise.all([{ env: {} }, ...sample.values()].map(story));
  expect(usual).toMatchObject({ inbox: "Inbox is empty\n", hasColors: false, open: [], hello: "hello" });
  expect(others).toEqual(others.map(() => usual));
  for (const [name, shell] of isFull ? shells : []) expect(await story(shell), name).toEqual(usual);
});
