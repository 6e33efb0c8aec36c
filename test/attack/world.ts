import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { begin, run, stage } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { reach } from "../e2e/survival/session.ts";
import type { Fleet } from "../support/fleet.ts";

/** A sandboxed agent that wants out, and the one file whose existence shows that its code ran outside. */
export interface Escape {
  readonly fleet: Fleet;
  readonly id: string;
  readonly repo: string;
  /** The user's home. */
  readonly user: string;
  readonly evidence: string;
  /** Runs a command inside the sandbox. */
  readonly inside: (command: string) => Promise<string>;
  /** Ends the agent and waits for the next run. */
  readonly again: () => Promise<void>;
}

/** Starts a session whose workspace holds `evil.sh`, which writes the evidence wherever it can. */
export async function plan(
  project: Readonly<Record<string, unknown>> = {},
  prepare: (repo: string) => void = () => undefined,
): Promise<Escape> {
  const { fleet, user } = await stage("bubblewrap", project, prepare);
  const { id } = await begin(fleet, "escape");
  const evidence = join(user, "../evidence");
  const inside = (command: string): Promise<string> => run(fleet, id, command);
  await inside(`printf '#!/bin/sh\\nenv > ${evidence}\\ncat\\n' > evil.sh; chmod +x evil.sh`);
  const again = async (): Promise<void> => {
    const { run: before } = await fleet.session(id);
    process.kill(before.pid ?? 0, "SIGKILL");
    await reach(fleet, id, "started again", ({ run: now }) => now.n > before.n && now.state === "alive");
  };
  return { fleet, id, repo: fleet.repo, user, evidence, inside, again };
}

/** Everything that makes `ao` run git in the agent's workspace, and then the user's own git in the main checkout. */
export async function lookOutside({ fleet, id, repo, evidence }: Escape): Promise<void> {
  expect((await fleet.api("GET", `/api/sessions/${id}/diff`)).status).toBe(200);
  git(repo, "status");
  git(repo, "log", "-1");
  await ao(fleet, "stop", id);
  git(repo, "status");
  expect(existsSync(evidence), "the agent's program ran outside").toBe(false);
}

/** Shell commands that make `ev` a repository of the agent whose settings start `evil.sh`. */
export const EVIL_SETTINGS = [
  "git init -q --bare ev && git config -f ev/config core.bare false",
  'for name in core.fsmonitor filter.x.clean filter.x.smudge diff.x.textconv diff.x.command; do git config -f ev/config $name "$PWD/evil.sh"; done',
  "mkdir -p ev/hooks && cp evil.sh ev/hooks/post-checkout && cp evil.sh ev/hooks/reference-transaction",
  "echo '* filter=x diff=x' > .gitattributes; echo changed > a.txt",
].join("; ");

/** A user file that must not change. */
export function ownFile(user: string): string {
  const file = join(user, ".bashrc");
  writeFileSync(file, "mine\n");
  return file;
}
