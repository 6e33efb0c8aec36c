import type { Host } from "../ports/host.ts";
import { createGit } from "../providers/git/git.ts";

/** Has the user configured a git identity for this repository? */
export async function hasGitIdentity(host: Host, path: string): Promise<boolean> {
  const email = await createGit(host)({
    args: ["config", "user.email"],
    cwd: path,
    discover: true,
    okCodes: [0, 1, 128],
  });
  return email.stdout.trim() !== "";
}
