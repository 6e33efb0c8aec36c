import { userInfo } from "node:os";
import { defuse } from "../core/reaction/template.ts";
import type { Host } from "../ports/host.ts";
import { createGit } from "../providers/git/git.ts";
import { rememberFor } from "./remember.ts";

/** It rarely changes; reading it costs a process. */
const REMEMBER_MS = 60_000;
const MAX_LENGTH = 100;

/** The name under which the user reviews and merges in a repository: git's user.name, else the account's. */
export function createUserName(host: Host): (path: string) => Promise<string> {
  return rememberFor(REMEMBER_MS, host.clock, async (path: string) => (await gitUserName(host, path)) ?? accountName());
}

async function gitUserName(host: Host, path: string): Promise<string | null> {
  const args = ["config", "user.name"];
  const { stdout } = await createGit(host)({ args, cwd: path, discover: true, okCodes: [0, 1, 128] })
    // The repository may be gone; its reviews still need a name.
    .catch(() => ({ stdout: "" }));
  const name = defuse(stdout).replaceAll(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
  return name === "" ? null : name;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in some containers.
    return "somebody";
  }
}
