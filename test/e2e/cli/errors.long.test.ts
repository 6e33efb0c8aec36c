import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { shareFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { expectRefusal, takePicture } from "./picture.ts";
import { openShell, plainEnvironment, type Shell } from "./shell.ts";

type Refusal = readonly [args: readonly string[], sentence: RegExp, code?: 1 | 2];

const NO_SESSION = /error: There is no session "demo-nobody"\.\nhint: .*ao list/;
const NO_PROJECT = /error: There is no project "nowhere"\.\nhint: .*ao projects/;

const UNKNOWN: readonly Refusal[] = [
  ...[["stop"], ["send"], ["status"], ["attach"], ["logs"], ["diff"], ["restore"], ["answer"]].map(
    ([command = ""]): Refusal => [
      [command, "demo-nobody", ...(command === "send" || command === "answer" ? ["yes"] : [])],
      NO_SESSION,
    ],
  ),
  [["wait", "demo-nobody", "--for", "idle"], NO_SESSION],
  [["events", "--session", "demo-nobody"], NO_SESSION],
  [["status", ".."], /nothing is named/],
  [["status", "demo-f"], /"demo-f" could be any of demo-(first|fifth), demo-(first|fifth)\.\nhint: Be more specific/],
  [["send", "demo-f", "hi"], /could be any of/],
  [["stop", "demo-f"], /could be any of/],
  [["new", "x", "--project", "nowhere"], NO_PROJECT],
  [["list", "--project", "nowhere"], NO_PROJECT],
  [["issue", "list", "--project", "nowhere"], NO_PROJECT],
  [["pause", "--project", "nowhere"], NO_PROJECT],
  [["resume", "--project", "nowhere"], NO_PROJECT],
  [["stop", "--project", "nowhere", "--all"], NO_PROJECT],
  [["remove-project", "nowhere"], NO_PROJECT],
  [["issue", "show", "99"], /has no issue 99\.\nhint: .*ao issue list/],
  [["new", "--issue", "99"], /has no issue 99\.\nhint: .*ao issue list/],
  [["answer", "demo-first", "yes"], /demo-first has no open question\nhint: .*ao inbox/],
  [["token", "revoke", "nobody"], /nobody/],
  [["api", "GET", "/nothing"], /There is no GET \/api\/nothing/],
];

const MISUSE: readonly Refusal[] = [
  [["satus"], /unknown command "satus"\nhint: did you mean "status"\?/, 2],
  [["issue", "nwe"], /unknown command "issue nwe"\nhint: did you mean "new"\?/, 2],
  [["list", "--porject", "demo"], /unknown option --porject for "ao list"\nhint: did you mean "--project"\?/, 2],
  [["new", "x", "--promptfile", "f"], /unknown option --promptfile .*\nhint: did you mean "--prompt-file"\?/, 2],
  [["send"], /needs SESSION/, 2],
  [["new"], /needs a title or an issue/, 2],
  [["new", ""], /title is empty/, 2],
  [["new", "--prompt-file", "/no/such/file"], /cannot read \/no\/such\/file: there is no such file/, 2],
  [["wait", "demo-first", "--for", "ilde"], /unknown state "ilde"\nhint: did you mean "idle"\?/, 2],
  [["wait", "demo-first", "--for", "idle", "--timeout", "soon"], /not a duration/, 2],
  [["api", "FETCH", "/sessions"], /unknown method/, 2],
  [["api", "POST", "/pause", "-d", "{"], /-d is not JSON/, 2],
  [["start", "--port", "70000"], /--port is not a port/, 2],
  [["issue", "new", ""], /title/, 2],
];

const PLUGINS: readonly Refusal[] = [
  // The command of the project's own agent is not that of another.
  [["new", "x", "--agent", "aider"], /agent's program aider was not found\.\nhint: Install it: .*aider-chat/],
  [["new", "x", "--runtime", "docker"], /runtime "docker" is not in this version\.\nhint: Available: /],
  [["new", "x", "--project", "lost"], /agent's program no-such-program was not found\.\nhint: Install it/],
  [["new", "x", "--project", "bare"], /Project bare has no agent\.\nhint: .*ao config set/],
  [["config", "set", "defaults.runtme", "tmux"], /runtme.*runtime/],
  [["config", "set", "defaults.runtime", "[tmux"], /error/],
  [["config", "get", "defaults.nothing"], /is not set/],
];

const shared = shareFleet();

/** A shell in a folder of the shared fleet, its repository if none is named. */
function typeIn(folder = shared().repo): Shell {
  const fleet = shared();
  return openShell(folder, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
}

/** Waits until nothing more happens to an idle session: its branch is read after the turn. */
async function rest(id: string): Promise<void> {
  await until(`the branch of ${id} to be read`, async () => {
    const { agentStatus, lines } = await shared().session(id);
    return agentStatus === "idle" && lines !== null;
  });
}

describe("a refused command says why in one sentence, what to do in another, and changes nothing", () => {
  beforeAll(async () => {
    const shell = typeIn();
    for (const title of ["first", "fifth"]) await shell.ok("new", title);
    for (const id of ["demo-first", "demo-fifth"]) await rest(id);
  });

  it("unknown names", async () => {
    const { home, repo } = shared();
    const shell = typeIn();
    const before = await takePicture(home, [repo], shell);
    for (const [args, sentence, code] of UNKNOWN) {
      expectRefusal(`ao ${args.join(" ")}`, await shell.ao(...args), sentence, code);
    }
    expect(await takePicture(home, [repo], shell)).toEqual(before);
  });

  it("invalid command lines", async () => {
    const { home, repo } = shared();
    const shell = typeIn();
    const before = await takePicture(home, [repo], shell);
    for (const [args, sentence, code] of MISUSE) {
      const typed = await shell.ao(...args);
      expectRefusal(`ao ${args.join(" ")}`, typed, sentence, code);
      expect.soft(typed.out, args.join(" ")).toBe("");
    }
    expect(await takePicture(home, [repo], shell)).toEqual(before);
  });

  it("missing agents, runtimes and settings", async () => {
    const { dir, home, repo } = shared();
    const lost = makeRepo(join(dir, "lost"));
    const bare = makeRepo(join(dir, "bare"));
    writeFileSync(
      join(lost, "agent-orchestrator.yaml"),
      "projects:\n  lost:\n    path: .\n    agent: command\n    agentConfig: { command: [no-such-program] }\n",
    );
    const shell = typeIn();
    for (const path of [lost, bare]) await shell.ok("add-project", path);
    const before = await takePicture(home, [repo, lost, bare], shell);
    for (const [args, sentence, code] of PLUGINS) {
      expectRefusal(`ao ${args.join(" ")}`, await shell.ao(...args), sentence, code);
    }
    expect(await takePicture(home, [repo, lost, bare], shell)).toEqual(before);
  });
});

/** Folders that cannot become projects, and the error for each. */
const FOLDERS: Readonly<Record<string, readonly [make: (path: string) => void, sentence: RegExp]>> = {
  "a folder without git": [(path) => mkdirSync(path), /is not a git repository\.\nhint: Run `git init`/],
  "a file": [(path) => writeFileSync(path, "x"), /is not a folder/],
  "a bare repository": [
    (path) => {
      mkdirSync(path);
      git(path, "init", "-q", "--bare");
    },
    /is a bare repository.*\nhint: Clone it/,
  ],
  nothing: [() => undefined, /(there is no folder|does not exist)/],
  "a repository without commits": [
    (path) => {
      mkdirSync(path);
      git(path, "init", "-q", "-b", "main");
    },
    /has no commits yet.*\nhint: .*git commit/,
  ],
  "a detached HEAD without defaultBranch": [
    (path) => git(makeRepo(path), "checkout", "-q", "--detach"),
    /detached HEAD.*\nhint: .*defaultBranch/,
  ],
  "malformed YAML": [
    (path) => writeFileSync(join(makeRepo(path), "agent-orchestrator.yaml"), "projects:\n  a: [1, 2\nport: 3000\n"),
    /agent-orchestrator\.yaml:3:1/,
  ],
  "an unknown key": [
    (path) =>
      writeFileSync(
        join(makeRepo(path), "agent-orchestrator.yaml"),
        "projects:\n  a:\n    path: .\n    agnet: command\n",
      ),
    /agent-orchestrator\.yaml:4:5.*agnet.*did you mean.*agent/s,
  ],
  "an unknown key at the top": [
    (path) => writeFileSync(join(makeRepo(path), "agent-orchestrator.yaml"), "porjects: {}\n"),
    /agent-orchestrator\.yaml:1:1.*did you mean.*projects/s,
  ],
  "a wrong type": [
    (path) => writeFileSync(join(makeRepo(path), "agent-orchestrator.yaml"), "port: often\n"),
    /agent-orchestrator\.yaml:1:\d+.*port/s,
  ],
};

describe.each(["add-project", "start"])("ao %s refuses", (command) => {
  it("folders that cannot become projects, and leaves them as they are", async () => {
    const { dir, home } = shared();
    const shell = typeIn(dir);
    const projects = await shell.json("projects");
    for (const [index, [what, [make, sentence]]] of Object.entries(FOLDERS).entries()) {
      const path = join(dir, `${command}-${index}`);
      make(path);
      const repositories = /file|nothing/.test(what) ? [] : [path];
      const before = await takePicture(home, repositories, shell);
      expectRefusal(`${command}: ${what}`, await shell.ao(command, path), sentence);
      expect.soft(await takePicture(home, repositories, shell), what).toEqual(before);
    }
    expect(await shell.json("projects")).toEqual(projects);
  });
});

it("a detached HEAD is fine if defaultBranch is set", async () => {
  const repo = makeRepo(join(shared().dir, "detached"));
  git(repo, "checkout", "-q", "--detach");
  writeFileSync(join(repo, "agent-orchestrator.yaml"), "projects:\n  web:\n    path: .\n    defaultBranch: main\n");
  expect(await typeIn(repo).ok("add-project", ".")).toContain("project web: ");
});

it("a deleted workspace is reported, with the command that restores it", async () => {
  const fleet = shared();
  const shell = typeIn();
  await shell.ok("new", "lost");
  await rest("demo-lost");
  const { workspacePath } = await fleet.session("demo-lost");
  git(fleet.repo, "worktree", "remove", "--force", workspacePath ?? "");
  expectRefusal("diff", await shell.ao("diff", "demo-lost"), /demo-lost.*\nhint: .*ao restore demo-lost/);
  expect(await shell.ok("status", "demo-lost")).toMatch(/workspace-missing/);
  expect(await shell.ok("list")).toMatch(/demo-lost +workspace-missing/);
  expect(await shell.ok("inbox")).toContain("ao restore demo-lost");
  expectRefusal("wait", await shell.ao("wait", "demo-lost", "--for", "idle"), /will not be idle/);
  expect(await shell.ok("send", "demo-lost", "anybody?")).toMatch(/^queued: /);
  await shell.ok("restore", "demo-lost");
  await until("the message", () => fleet.diary("demo-lost").some(({ text }) => text === "anybody?"));
});

it("an invalid file is reported, and the last valid one stays in use", async () => {
  const fleet = shared();
  const shell = typeIn();
  writeFileSync(join(fleet.repo, "agent-orchestrator.yaml"), "projects: [\n");
  await shell.ok("new", "still works");
  await until("the agent's task", () => fleet.diary("demo-still-works").some(({ event }) => event === "task"));
  expectRefusal("config validate", await shell.ao("config", "validate"), /agent-orchestrator\.yaml:\d+:\d+/);
  expect((await shell.ao("doctor")).out).toMatch(/fail {2}config: .*agent-orchestrator\.yaml:\d+:\d+/);
});
