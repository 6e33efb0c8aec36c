import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { ALIASES } from "./aliases.ts";
import { COMMANDS, GROUPS, LATER, loadAll } from "./command-table.ts";
import { run } from "./run.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs the built program; none of these commands may need a daemon. */
function ao(...args: string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const result = spawnSync(process.execPath, [`${root}dist/cli/ao.cjs`, ...args], {
    encoding: "utf8",
    env: { ...process.env, AO_HOME: `${tempDir()}/home` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

it.each(["--version", "-V", "-v", "version"])("ao %s prints the version of the package", (word) => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
  expect(ao(word)).toEqual({ code: 0, out: `${version}\n`, err: "" });
});

describe("help", () => {
  it.each([[], ["--help"], ["help"]])("ao %s lists every command of this version and no other", (...args) => {
    const { code, out } = ao(...args);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const name of LATER) expect(out).not.toMatch(new RegExp(`^  ${name} `, "m"));
  });

  it("for a command has its usage, options and an example", () => {
    const { code, out } = ao("send", "--help");
    expect(code).toBe(0);
    expect(out).toContain('ao send [SESSION] "MESSAGE"');
    expect(out).toContain("--file FILE");
    expect(out).toContain("examples:\n  ao send");
  });

  it.each(["issue new", "token create", "config set"])("of a subcommand: ao %s", (name) => {
    expect(ao(...name.split(" "), "--help").out).toContain(`usage:\n  ao ${name} `);
    expect(ao("help", ...name.split(" ")).out).toContain(`usage:\n  ao ${name} `);
  });
});

describe("misuse exits with 2 and a hint", () => {
  it.each([
    [["lst"], 'error: unknown command "lst"\nhint: did you mean "list"?\n'],
    [["list", "--jsn"], 'error: unknown option --jsn for "ao list"\nhint: did you mean "--json"?\n'],
    [["issue", "lsit"], 'error: unknown command "issue lsit"\nhint: did you mean "list"?\n'],
    [["issue"], 'error: "ao issue" needs a command\nhint: ao issue list | new | show | edit | close\n'],
    [["--frobnicate"], "error: unknown option --frobnicate\nhint: `ao --help` lists the commands.\n"],
    [["toString"], 'error: unknown command "toString"\nhint: `ao --help` lists the commands.\n'],
    [["send", "s", "a", "--file", "b"], "error: a message and --file together\nhint: Give one of them.\n"],
    [["stop", "--project", "p"], "error: --project without --all\nhint: ao stop --project ID --all\n"],
    [["wait", "s"], "error: wait for what?\nhint: --for idle, pr, merged, exited or stopped\n"],
    [["wait", "s", "--for", "merge"], 'error: unknown state "merge"\nhint: did you mean "merged"?\n'],
    [["merge", "s", "-s", "sqash"], 'error: unknown strategy "sqash"\nhint: did you mean "squash"?\n'],
    [
      ["review", "s", "--approve", "--request-changes", "x"],
      "error: --approve and --request-changes together\nhint: Give one of them.\n",
    ],
    [
      ["review", "s", "--comment", "a.ts:x:y"],
      'error: --comment is not FILE:LINE:TEXT: "a.ts:x:y"\nhint: --comment src/a.ts:12:text\n',
    ],
    [["pr", "list", "--state", "mergd"], 'error: unknown state "mergd"\nhint: did you mean "merged"?\n'],
    [["pr", "label", "3"], "error: nothing to change\nhint: ao pr label PR --add LABEL\n"],
    [
      ["reply", "s", "t"],
      'error: "ao reply" needs TEXT\nhint: usage: ao reply PR THREAD "TEXT" [--resolve] [--author NAME] [--json]\n',
    ],
    [["start", "--port", "many"], "error: --port is not a port: many\nhint: 0 to 65535\n"],
  ])("ao %j", (args, err) => {
    expect(ao(...args)).toEqual({ code: 2, out: "", err });
  });
});

it.each(LATER)("ao %s is reported as planned", async (name) => {
  await expect(run([name, "x"])).rejects.toMatchObject({
    code: "unsupported",
    message: `"ao ${name}" is not in this version`,
  });
});

it("a planned feature is a failure, not a misuse", () => {
  const { code, out, err } = ao("hunt", "x");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain('error: "ao hunt" is not in this version\n');
});

describe("a failure with --json", () => {
  it.each([
    [["list", "--json", "--frob"], 2, { status: 400, title: "Bad request", code: "usage", hint: expect.any(String) }],
    [["hunt", "--json"], 1, { status: 422, title: "Cannot be done", code: "unsupported" }],
  ])("is one problem object on stderr: ao %j", (args, code, problem) => {
    const typed = ao(...args);
    expect(typed).toMatchObject({ code, out: "" });
    expect(JSON.parse(typed.err)).toMatchObject({ type: "about:blank", detail: expect.any(String), ...problem });
  });

  it("is a sentence if --json belongs to another program", () => {
    expect(ao("hunt", "--", "--json").err).toMatch(/^error: /);
  });
});

it("stopping a daemon that is not running starts none", () => {
  expect(ao("stop")).toEqual({ code: 0, out: "the daemon is not running\n", err: "" });
});

describe("the table of commands", () => {
  it("has a file for each command and a command for each file", () => {
    const files = readdirSync(`${root}src/cli/commands`)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => name.replace(/\.ts$/, ""));
    expect(Object.keys(COMMANDS).sort()).toEqual(files.sort());
  });

  it("gives every command its own name, a summary, a usage and an example of itself", async () => {
    const commands = await loadAll();
    expect(commands.map((command) => command.name).sort()).toEqual(Object.keys(COMMANDS).sort());
    for (const command of commands.flatMap((one) => [one, ...(one.subcommands ?? [])])) {
      expect(command.summary, command.name).toMatch(/^[a-z].*[^.]$/);
      expect(command.usage.length, command.name).toBeGreaterThan(0);
      expect(command.examples.length, command.name).toBeGreaterThan(0);
    }
  });

  it("has every command in one group, the everyday ones first", () => {
    const names = Object.values(GROUPS).flat();
    expect(names.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
    expect(Object.values(GROUPS)[0]).toHaveLength(8);
  });

  it("maps its aliases to commands and shadows none", () => {
    for (const [alias, name] of Object.entries(ALIASES)) {
      expect(Object.keys(COMMANDS)).toContain(name);
      expect(Object.keys(COMMANDS)).not.toContain(alias);
      expect(LATER).not.toContain(alias);
    }
  });
});
