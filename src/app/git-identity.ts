import type { Host } from "../ports/host.ts";
import { createGit } from "../providers/git/git.ts";

/** The git settings that say who commits, by name. */
export type GitIdentity = Readonly<Record<string, string>>;

const SETTINGS = "^(user|author|committer)\\.(name|email)$";

/** The user's git identity in this repository; empty if none is configured. */
export async function readGitIdentity(host: Host, path: string): Promise<GitIdentity> {
  const listed = await createGit(host)({
    args: ["config", "--null", "--get-regexp", SETTINGS],
    cwd: path,
    discover: true,
    okCodes: [0, 1, 128],
  });
  // Of several values the last one counts.
  const entries = listed.stdout.split("\0").map((entry) => {
    const [name = "", ...value] = entry.split("\n");
    return [name, value.join("\n")] as const;
  });
  return Object.fromEntries(entries.filter(([name, value]) => name !== "" && value !== ""));
}

/**
 * The variables of an identity in the form that reaches git everywhere: some agents run their commands with an empty
 * `GIT_CONFIG_GLOBAL`. Settings that the environment already passes this way stay.
 */
export function identityAsSettings(
  identity: GitIdentity,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = Object.entries(identity);
  const before = Number(environment["GIT_CONFIG_COUNT"] ?? "0");
  // git refuses to run with such a count, and will say so.
  if (entries.length === 0 || !Number.isSafeInteger(before) || before < 0) return {};
  const pairs = entries.flatMap(([name, value], n) => [
    [`GIT_CONFIG_KEY_${before + n}`, name],
    [`GIT_CONFIG_VALUE_${before + n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(before + entries.length), ...Object.fromEntries(pairs) };
}
