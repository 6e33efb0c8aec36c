import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../../src/testing/patience.ts";
import { diskFolder, tempDir } from "../../../src/testing/temp.ts";
import { open, printed } from "../../e2e/survival/session.ts";
import { type Fleet, makeFleet, processesOf } from "../../support/fleet.ts";
import { killAll } from "../../support/kill-all.ts";
import { until } from "../../support/until.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import type { SessionAgent } from "./session-agents.ts";

/** How long a step of a real program may take on a busy machine. */
export const LIMIT = PATIENCE_MS;

/** A daemon whose project has a real agent, the model that it asks, and the user's home. */
export interface Scene {
  readonly fleet: Fleet;
  readonly model: ModelServer;
  readonly home: string;
  /** Starts a session and returns its id. */
  begin(title: string, prompt: string): Promise<string>;
  /** Waits until a model call is on hold. */
  held(name: string): Promise<void>;
  /** The same, for a later process than the one that `held` saw. */
  heldAgain(name: string): Promise<void>;
  /** Subjects of a branch since main, the newest first. */
  commits(branch: string): readonly string[];
  /** The vendor's own processes. */
  programs(): readonly number[];
  bridges(): readonly number[];
  /** The conversation ids that each run of a session reported, in order. */
  conversations(id: string, runs: number): readonly string[];
}

export interface SceneOptions {
  /** Instead of the policy that lets it work without questions. */
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly project?: Readonly<Record<string, unknown>>;
  readonly machine?: Record<string, unknown>;
  readonly files?: Record<string, string>;
  /** Called before anything starts: what else is in the user's home. */
  readonly prepare?: (home: string) => void;
}

/** Sets up a world for an agent, without anything of this machine's user. */
export async function stage(agent: SessionAgent, options: SceneOptions = {}): Promise<Scene> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  // Codex runs in its own sandbox, where /dev/shm is empty.
  const dir = tempDir("ao-user-", diskFolder());
  const home = join(dir, "home");
  for (const name of ["home", "tmp"]) mkdirSync(join(dir, name));
  const env = { HOME: home, TMPDIR: join(dir, "tmp"), ...agent.environment({ home }, model) };
  // As on most machines: nothing in the repository says who commits.
  const gitconfig = join(home, ".gitconfig");
  writeFileSync(gitconfig, "[user]\n\tname = Ann\n\temail = ann@example.com\n");
  options.prepare?.(home);
  const fleet = await makeFleet({
    env: { GIT_CONFIG_GLOBAL: gitconfig },
    agentConfig: { command: agent.command, ...agent.config, ...(options.policy ?? agent.free) },
    project: { agent: agent.plugin, env, ...agent.project, ...options.project },
    isOnDisk: true,
    ...(options.files && { files: options.files }),
    ...(options.machine && { machine: options.machine }),
  });
  git(fleet.repo, "config", "--remove-section", "user");
  agent.prepare?.(home, fleet.repo);
  await open(fleet);
  const running = (isWanted: (command: string) => boolean): readonly number[] =>
    processesOf(fleet.home).filter((pid) => isWanted(commandOf(pid)));
  let calls = 0;
  return {
    fleet,
    model,
    home,
    begin: async (title, prompt) => {
      const { body, status } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title, prompt });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.id;
    },
    held: async (name) => {
      await until(`the model to be asked for ${name}`, () => model.isHolding(name), LIMIT);
      const results = model.calls.at(-1)?.turns.filter(({ by }) => by === "tool").length ?? 0;
      await until("the results to be saved", () => (agent.savedResults?.(home) ?? results) >= results, LIMIT);
      calls = model.calls.length;
    },
    heldAgain: async (name) => {
      const isAsked = (): boolean => model.calls.length > calls && model.isHolding(name);
      await until(`the model to be asked again for ${name}`, isAsked, LIMIT);
    },
    commits: (branch) => git(fleet.repo, "log", "--format=%s", `main..${branch}`).trim().split("\n").filter(Boolean),
    programs: () => running((command) => command.includes(agent.process) && !command.includes(BRIDGE)),
    bridges: () => running((command) => command.startsWith(process.execPath) && command.includes(BRIDGE)),
    conversations: (id, runs) =>
      Array.from(
        { length: runs },
        (_, n) => /"type":"conversation","id":"([^"]+)"/.exec(printed(fleet, id, n + 1))?.[1],
      ).map(String),
  };
}

const BRIDGE = "dist/bridge/main.js";

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Kills processes and waits until they are gone. */
export async function strike(victims: () => readonly number[]): Promise<void> {
  const struck = victims();
  expect(struck).not.toEqual([]);
  killAll(struck);
  await until("the struck to be gone", () => !victims().some((pid) => struck.includes(pid)), LIMIT);
}

/** A command that adds a commit. */
export function commit(name: string): string {
  return `echo ${name} >> ${name}.txt && git add -A && git commit -q -m ${name}`;
}
