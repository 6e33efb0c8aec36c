import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { git } from "../../src/testing/git-repo.ts";
import { diskFolder, tempDir } from "../../src/testing/temp.ts";
import { hasBubblewrap, note, run } from "../e2e/sandbox/stage.ts";
import { open, reach } from "../e2e/survival/session.ts";
import { type Fleet, makeFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const agent = fileURLToPath(new URL("../fixtures/bin/shell-agent.mjs", import.meta.url));
const daemon = fileURLToPath(new URL("../../dist/app/daemon.js", import.meta.url));

/** Secrets of the daemon's environment, under names that say so and names that do not. */
const ENVIRONMENT = {
  DATABASE_URL: "postgres://me:canary-database@db/x",
  GITHUB_TOKEN: "canary-github",
  SLACK_WEBHOOK_URL: "https://hooks.example/canary-slack",
  STRIPE_KEY: "canary-stripe",
  JWT: "canary-jwt",
  HTTPS_PROXY: "http://me:canary-proxy@proxy.invalid:1",
  ANTHROPIC_API_KEY: "canary-anthropic",
};
/** A secret that the project passes to its agent and checks on purpose. */
const GIVEN = "canary-given";

/** Watches the arguments of all processes; returns those with a canary. */
function watchArguments(): () => readonly string[] {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const text = readOr(`/proc/${pid}/cmdline`);
      if (text.includes("canary-")) seen.add(text.replaceAll("\0", " "));
    }
  };
  const timer = setInterval(look, 25);
  return () => {
    clearInterval(timer);
    look();
    return [...seen];
  };
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function canariesIn(text: string): readonly string[] {
  return text.match(/canary-\w+/g) ?? [];
}

/** The files below a folder that hold a text, by name. */
function filesWith(folder: string, text: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => {
    const path = join(folder, name);
    return (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false) && readOr(path).includes(text);
  });
}

/** Those of them that `ao` wrote itself: a configuration in force is kept as the user wrote it, readable only by the user. */
function ownFilesWith(home: string, text: string): readonly string[] {
  return filesWith(home, text).filter((name) => {
    const isKept = name.startsWith("configs/");
    if (isKept) expect((statSync(join(home, name)).mode & 0o077).toString(8)).toBe("0");
    return !isKept;
  });
}

/** The home of a user who is signed in with an agent. */
function makeUser(parent?: string): string {
  const user = tempDir("ao-user-", parent);
  mkdirSync(join(user, ".claude"));
  writeFileSync(join(user, ".claude/.credentials.json"), '{"token":"canary-login"}');
  return user;
}

/** The environment of a new session's agent, as it writes it into its own workspace. */
async function environmentUnder(fleet: Fleet, runtime: string): Promise<string> {
  const asked = { title: runtime, prompt: "$ env > agent-env", runtime };
  const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", asked);
  const { workspacePath } = await reach(
    fleet,
    body.id,
    "in its workspace",
    (session) => session.workspacePath !== null,
  );
  const file = join(workspacePath ?? "", "agent-env");
  return until("the environment of its agent", () => (readOr(file).includes("PATH=") ? readOr(file) : false));
}

async function openFleet(traces: string): Promise<Fleet> {
  const user = makeUser();
  const fleet = await makeFleet({
    agentConfig: { command: [agent] },
    files: { "a.txt": "a\n", ".gitattributes": "a.txt filter=x\n" },
    project: { checks: { unit: { run: `env > ${join(traces, "check")}` } } },
    projectEnv: { GIVEN },
    env: { ...ENVIRONMENT, HOME: user },
  });
  git(fleet.repo, "config", "filter.x.clean", `sh -c 'env > ${join(traces, "git")}; cat'`);
  await open(fleet);
  return fleet;
}

it("no secret reaches arguments, logs, events, errors, the store, crash output, agents, checks or git", {
  timeout: 300_000,
}, async () => {
  const traces = tempDir();
  const stopWatching = watchArguments();
  const fleet = await openFleet(traces);
  const asked = { title: "one", prompt: `$ env > ${join(traces, "agent")}` };
  const { body: session } = await fleet.write<SessionDetailView>("POST", "/api/sessions", asked);
  await reach(fleet, session.id, "ready", ({ agentStatus }) => agentStatus === "idle");
  const { body: named } = await fleet.write<{ token: string }>("POST", "/api/tokens", { name: "ci", scope: "read" });
  await run(fleet, session.id, "echo changed > a.txt; git add -A; git commit -qm change; echo more > a.txt");
  await until("the check to run", () => readOr(join(traces, "check")) !== "");
  await fleet.api("POST", "/api/sessions", { project: "none", prompt: "x" });
  // From here on it is the daemon's git that runs the filter.
  rmSync(join(traces, "git"), { force: true });
  await fleet.api("GET", `/api/sessions/${session.id}/diff`);
  if (hasTmux) expect(canariesIn(await environmentUnder(fleet, "tmux"))).toEqual([GIVEN]);
  const answers = await Promise.all(
    [
      `/api/sessions/${session.id}`,
      `/api/sessions/${session.id}/timeline`,
      `/api/sessions/${session.id}/environment`,
    ].map(async (path) => JSON.stringify((await fleet.api("GET", path)).body)),
  );
  const main = readFileSync(join(fleet.home, "token"), "utf8").trim();
  await fleet.kill();
  const crash = spawnSync(process.execPath, [daemon], {
    env: { ...process.env, ...ENVIRONMENT, AO_HOME: "/dev/null/home" },
    timeout: 60_000,
  });

  expect(crash.status).not.toBe(0);
  expect(`${crash.stdout}${crash.stderr}`).not.toContain("canary-");
  expect(stopWatching()).toEqual([]);
  expect(answers.join("\n")).not.toMatch(/canary-/);
  expect(ownFilesWith(fleet.home, "canary-")).toEqual([]);
  expect(filesWith(fleet.home, named.token)).toEqual([]);
  expect(filesWith(fleet.home, main)).toEqual(["token"]);
  const environments = ["agent", "check", "git"].map((name) => [name, readOr(join(traces, name))] as const);
  for (const [name, text] of environments) {
    expect(text, name).toContain("PATH=");
    expect(canariesIn(text), name).toEqual(name === "git" ? [] : [GIVEN]);
    expect(text, name).not.toContain(main);
  }
});

it.skipIf(!hasBubblewrap)(
  `no secret reaches arguments, files or the agent in a sandbox, in a terminal too${note}`,
  async () => {
    const stopWatching = watchArguments();
    const fleet = await makeFleet({
      agentConfig: { command: [agent], sandbox: { plugin: "bubblewrap", network: ["api.example.com"] } },
      projectEnv: { GIVEN },
      env: { ...ENVIRONMENT, HOME: makeUser(diskFolder()) },
    });
    await open(fleet);
    for (const runtime of ["process", ...(hasTmux ? ["tmux"] : [])]) {
      const environment = await environmentUnder(fleet, runtime);
      expect(environment).toContain("AO_SANDBOX=bubblewrap");
      expect(canariesIn(environment), runtime).toEqual([GIVEN]);
    }
    await fleet.kill();
    expect(stopWatching()).toEqual([]);
    expect(ownFilesWith(fleet.home, "canary-")).toEqual([]);
  },
);
