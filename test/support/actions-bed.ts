import { join } from "node:path";
import { createActions } from "../../src/app/create-actions.ts";
import type { Kernel } from "../../src/app/kernel.ts";
import { createProjectConfigs } from "../../src/app/project-configs.ts";
import { createLogins } from "../../src/app/sandbox/home/logins.ts";
import { createSessionCalls } from "../../src/app/session-calls.ts";
import type { ProjectPolicy } from "../../src/core/policy.ts";
import type { Host } from "../../src/ports/host.ts";
import type { SlotInstance } from "../../src/ports/plugin.ts";
import { homePaths } from "../../src/protocol/home.ts";
import type { Actions } from "../../src/server/actions.ts";
import { aCreate } from "../../src/testing/builders.ts";
import { type BedOptions, type EngineBed, openEngineBed } from "../../src/testing/engine-bed/engine-bed.ts";
import { createPerson, type Person, registerProject } from "../../src/testing/engine-bed/story.ts";

/** The session that `openActionsBed` starts, and its pull request once the agent has committed. */
export const SESSION = "demo-fix-it";
export const PULL_REQUEST = "demo/1";

/** The daemon's actions on the engine bed: everything below them runs in memory, on a clock of the test. */
export interface ActionsBed extends Pick<Person, "until"> {
  readonly bed: EngineBed;
  readonly kernel: Kernel;
  readonly actions: Actions;
  /** Texts of all messages that the agent got, in order. */
  heard(): readonly string[];
}

export interface ActionsBedOptions extends BedOptions {
  /** The agent's first task, in the orders of the diary agent. */
  readonly prompt?: string;
  readonly policy?: ProjectPolicy;
}

/** A project with one session, whose first turn is over. */
export async function openActionsBed({ prompt, policy, ...options }: ActionsBedOptions = {}): Promise<ActionsBed> {
  const bed = await openEngineBed(options);
  const person = createPerson(bed);
  await registerProject(person);
  if (policy !== undefined) await person.command({ type: "project.policy", id: "demo", policy }, "own policy");
  const text = prompt ?? "Look around.";
  await person.command(
    aCreate({ prompt: { inline: text }, messageId: "m-task", input: options.input ?? "inbox" }),
    "create",
  );
  const session = () => bed.engine.loop.world.view.session(SESSION);
  await person.until("the first turn", () => bed.world.diary.length > 0 && session()?.turn === null);
  const kernel = createBedKernel(bed);
  return {
    bed,
    kernel,
    actions: createActions(kernel, { health: () => ({}) as never, shutdown: () => undefined }),
    until: person.until,
    heard: () => bed.world.diary.map((entry) => entry.text),
  };
}

function createBedKernel(bed: EngineBed): Kernel {
  const host: Host = { ...bed.world.machine.host, exec: answerGit };
  const paths = homePaths({ env: { AO_HOME: "/home" }, userHome: "/", uid: 0, cwd: "/" });
  return {
    host,
    paths,
    store: bed.store,
    engine: bed.engine,
    plugins: {
      get: (slot) => bed.world.ports[slot] as SlotInstance[typeof slot],
      has: () => true,
      takes: () => true,
    },
    configs: createProjectConfigs(host, paths, "/"),
    logins: createLogins(host, paths),
    keys: new Map(),
    secret: "secret",
    calls: createSessionCalls(host, paths),
    adopted: [],
    runDir: (sessionId, run) => join("/home/sessions", sessionId, "runs", String(run)),
    close: () => bed.engine.close(),
  };
}

/** Of the programs that the actions run themselves: git prints the user's name, and has every branch, checked out nowhere. */
const answerGit: Host["exec"] = async ({ program, args }) => {
  const answered = { code: 0, signal: null, stderr: "", timedOut: false };
  if (program === "git" && args.slice(-2).join(" ") === "config user.name")
    return { ...answered, stdout: "Ann Author\n" } as never;
  if (program === "git" && args.at(-1) === "remote") return { ...answered, stdout: "origin\ncompany\n" } as never;
  if (program === "git" && ["rev-parse", "for-each-ref"].some((name) => args.includes(name)))
    return { ...answered, stdout: "" } as never;
  throw new Error(`not on the bed: ${program} ${args}`);
};
