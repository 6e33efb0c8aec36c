import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { BUBBLEWRAP_TRIAL } from "../../../src/app/sandbox/bubblewrap.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { diskFolder, tempDir } from "../../../src/testing/temp.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { open, reach } from "../survival/session.ts";

/** Runs the commands in its messages and reports their output. */
export const shellAgent = fileURLToPath(new URL("../../fixtures/bin/shell-agent.mjs", import.meta.url));
const [trial = "", ...trialArgs] = BUBBLEWRAP_TRIAL;

export const hasBubblewrap = spawnSync(trial, trialArgs).status === 0;
/** For the title of skipped tests. */
export const note = hasBubblewrap ? "" : " (skipped: bubblewrap is not installed, or may not make user namespaces)";

export interface Scene {
  readonly fleet: Fleet;
  /** The user's home. */
  readonly user: string;
}

/** A fleet whose agents run shell commands in a sandbox. */
export async function stage(
  sandbox: unknown = "bubblewrap",
  project: Readonly<Record<string, unknown>> = {},
  prepare: (repo: string) => void = () => undefined,
): Promise<Scene> {
  const user = join(tempDir("ao-user-", diskFolder()), "user");
  mkdirSync(user);
  const fleet = await makeFleet({
    agentConfig: { command: [shellAgent], sandbox },
    files: { "a.txt": "a\n" },
    project: { env: { HOME: user }, ...project },
    prepare,
  });
  await open(fleet);
  return { fleet, user };
}

/** A session whose agent has run its first command. */
export async function begin(fleet: Fleet, title: string): Promise<SessionDetailView> {
  const asked = { title, prompt: "$ pwd" };
  const { body, status } = await fleet.write<SessionDetailView>("POST", "/api/sessions", asked);
  expect(status, JSON.stringify(body)).toBe(201);
  return reach(fleet, body.id, "ready", ({ agentStatus }) => agentStatus === "idle");
}

let count = 0;

/** Runs a command in the session and returns its output. */
export async function run(fleet: Fleet, id: string, command: string): Promise<string> {
  count += 1;
  const end = `over-${count}`;
  await fleet.write("POST", `/api/sessions/${id}/message`, { content: `$ ${command}\n$ echo ${end}` });
  const { summary } = await reach(fleet, id, `done with ${command}`, (seen) => seen.summary?.includes(end) === true);
  return (summary ?? "").replace(`${end}\n`, "").replace(/^\d /, "").trim();
}
