import { AoError } from "./errors.ts";

/** What an agent in a sandbox has beyond its own workspace. */
export interface Sandbox {
  readonly network: SandboxNetwork;
  /** Paths that it may write to as well, from `/` or `~/`. */
  readonly writable: readonly string[];
}

export type SandboxNetwork = "all" | "none";

/** Said wherever a list of hosts is written: a rule that cannot be kept is refused, not weakened. */
export const NETWORK_CHOICES = "expected all or none: bubblewrap shares the network or cuts it, and knows no hosts";

/**
 * The sandbox that an agent's settings ask for; null: none. What is not understood is an error, since to run without a
 * sandbox is the one thing that it cannot mean.
 */
export function readSandbox(written: unknown): Sandbox | null {
  if (written === undefined || written === "none") return null;
  if (written === "bubblewrap") return { network: "all", writable: [] };
  if (written === null || typeof written !== "object") throw invalid("expected none or bubblewrap");
  const { plugin, network = "all", writable = [], ...more } = written as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(more);
  if (plugin !== "bubblewrap") throw invalid("expected `plugin: bubblewrap`");
  if (unknown !== undefined) throw invalid(`there is no key ${unknown}`);
  if (network !== "all" && network !== "none") throw invalid(`network: ${NETWORK_CHOICES}`);
  if (!isPaths(writable)) throw invalid("writable: expected a list of paths from / or ~/");
  return { network, writable };
}

/** Can this be written under `writable`? A relative path would mean another folder in each workspace. */
export function isPlace(path: string): boolean {
  return /^(\/|~\/|~$)/.test(path);
}

function isPaths(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((path) => typeof path === "string" && isPlace(path));
}

function invalid(what: string): AoError {
  return new AoError({
    code: "config-invalid",
    message: `The setting \`sandbox\` of the agent is not right: ${what}.`,
    hint: "Write `sandbox: bubblewrap`, or `sandbox: { plugin: bubblewrap, network: none }`.",
  });
}
