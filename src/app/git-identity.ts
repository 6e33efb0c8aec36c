import type { Host } from "../ports/host.ts";

/** Has the user told git who they are, for this repository? */
export async function hasGitIdentity(host: Host, path: string): Promise<boolean> {
  const email = await host.exec({ program: "git", args: ["config", "user.email"], cwd: path, okCodes: [0, 1, 128] });
  return email.stdout.trim() !== "";
}
