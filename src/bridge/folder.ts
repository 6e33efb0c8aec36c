import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { AoError } from "../core/errors.ts";

/** Where a session's bridge keeps its files: with the session's own, or in the git folder of a workspace without one. */
export async function findFolder(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { AO_HOME: home, AO_SESSION: session } = env;
  if (home && session) return join(home, "sessions", session, "bridge");
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--absolute-git-dir"], { cwd });
    return join(stdout.trim(), "ao-bridge");
  } catch (cause) {
    throw new AoError({
      code: "not-a-repository",
      message: `${cwd} is not in a git repository, and no session is named by AO_HOME and AO_SESSION.`,
      cause,
    });
  }
}
