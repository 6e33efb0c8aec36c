import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { commandLines } from "../../../src/testing/command-lines.ts";
import { type LoopFleet, makeLoop } from "../../support/loop.ts";
import { until } from "../../support/until.ts";
import { startReceiver } from "../../support/webhook.ts";
import type { LoopForge } from "./loop-forge.ts";

const SECRET = "a secret of both sides";

/** A fleet whose issues and pull requests are on a fake forge. */
export interface ForgeLoop {
  readonly fleet: LoopFleet;
  /** Arguments of processes that were seen while git talked to the forge. */
  readonly argv: ReadonlySet<string>;
  /** Pushes a commit as a person does. */
  push(commit: string, branch: string): Promise<void>;
}

/** Makes such a fleet, with its daemon up, the project registered, its main branch on the forge and webhooks set up. */
export async function makeForgeLoop(
  forge: LoopForge,
  scripts: Readonly<Record<string, unknown>>,
  project: Readonly<Record<string, unknown>> = {},
): Promise<ForgeLoop> {
  const argv = new Set<string>();
  const plugin = { plugin: forge.scm, baseUrl: forge.url };
  const fleet = await makeLoop({
    scripts,
    checks: {},
    project: { repo: "octo/demo", tracker: plugin, scm: plugin, ...project },
    env: forge.env(SECRET),
  });
  const url = forge.cloneUrl.replace("://", `://${forge.user}:${forge.token}@`);
  // Asynchronous, so that the server in this process can answer.
  const push = async (commit: string, branch: string): Promise<void> => {
    await promisify(execFile)("git", ["push", "-q", url, `${commit}:refs/heads/${branch}`], { cwd: fleet.repo });
  };
  await push("main", "main");
  forge.faults.watch((request) => {
    if (request.includes("git-")) for (const text of commandLines()) argv.add(text);
  });
  await fleet.open();
  forge.addHook(await startRelay(fleet, forge.scm), { secret: SECRET });
  return { fleet, argv, push };
}

/** Forwards deliveries to whichever daemon of the fleet is up, like a tunnel that waits for a restart. */
function startRelay(fleet: LoopFleet, scm: string): Promise<string> {
  return startReceiver(async ({ body, headers }) => {
    const own = Object.entries(headers).filter(([name]) => name.startsWith("x-"));
    const sent = Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
    const { status } = await until("a daemon to take a delivery", () =>
      fleet.api("POST", `/api/webhooks/${scm}`, JSON.parse(body), sent),
    );
    return status;
  });
}
