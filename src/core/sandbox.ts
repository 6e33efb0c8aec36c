import { AoError } from "./errors.ts";
import { isHostPattern } from "./host-list.ts";

/** What an agent in a sandbox can access beyond its own workspace. */
export interface Sandbox {
  readonly network: SandboxNetwork;
  /** Paths that it may write to as well, from `/` or `~/`. */
  readonly writable: readonly string[];
}

/** As outside, none at all, or these hosts through ao's proxy. */
export type SandboxNetwork = "all" | "none" | readonly string[];

/**
 * Where a check runs. inherit: in the sandboxes of the sessions whose commits it runs, if they have any; none: as the
 * user, whoever wrote the code; otherwise always in a sandbox, which allows this and inherits the rest.
 */
export type CheckSandboxRule = "inherit" | "none" | Partial<Sandbox>;

export const NETWORK_CHOICES = 'expected all, none, or a list of hosts such as [api.github.com, "*.npmjs.org"]';

/**
 * The proxy's socket in its folder, where a sandbox mounts that folder, and the port on the sandbox's loopback that
 * leads to it.
 */
export const PROXY_SOCKET = "proxy.sock";
export const PROXY_FOLDER = "/run/ao-network";
export const PROXY_PORT = 3128;

/** The daemon's socket for one session's own calls, and where its sandbox mounts the folder of that socket. */
export const CALLS_SOCKET = "ao.sock";
export const CALLS_FOLDER = "/run/ao-daemon";

/**
 * Beside the proxy's folder, where the sandbox sees nothing: the only hosts that the daemon still allows, and what of
 * that the proxy enforces. Both are the text of `encodeLimit`.
 */
export const LIMIT_FOLDER = "network-limit";
export const LIMIT_FILE = "hosts";
export const ENFORCED_FILE = "enforced";

/** The content of the file with the only hosts that stay reachable; null: all that the sandbox lists. */
export function encodeLimit(hosts: readonly string[] | null): string {
  return JSON.stringify(hosts);
}

/** Reads it back. Whatever is not a valid limit allows nothing. */
export function decodeLimit(text: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return null;
    return Array.isArray(value) && value.every((host) => typeof host === "string") ? value : [];
  } catch {
    return [];
  }
}

/**
 * The sandbox that an agent's settings require; null: none. Invalid settings are an error, because they cannot mean
 * running without a sandbox.
 */
export function readSandbox(written: unknown): Sandbox | null {
  if (written === undefined || written === "none") return null;
  if (written === "bubblewrap") return { network: "all", writable: [] };
  if (written === null || typeof written !== "object") throw invalid("expected none or bubblewrap");
  const { plugin, network = "all", writable = [], ...more } = written as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(more);
  if (plugin !== "bubblewrap") throw invalid("expected `plugin: bubblewrap`");
  if (unknown !== undefined) throw invalid(`there is no key ${unknown}`);
  if (!isNetwork(network)) throw invalid(`network: ${NETWORK_CHOICES}`);
  if (!isPaths(writable)) throw invalid("writable: expected a list of paths from / or ~/");
  return { network, writable };
}

/** Does an agent with these settings run in a sandbox? No for invalid ones: it does not start. */
export function isSandboxed(agent: { readonly config: Readonly<Record<string, unknown>> }): boolean {
  try {
    return readSandbox(agent.config["sandbox"]) !== null;
  } catch {
    return false;
  }
}

function isNetwork(value: unknown): value is SandboxNetwork {
  if (value === "all" || value === "none") return true;
  const isHost = (host: unknown): boolean => typeof host === "string" && isHostPattern(host);
  return Array.isArray(value) && value.length > 0 && value.every(isHost);
}

/** Is this valid under `writable`? A relative path would mean another folder in each workspace. */
export function isPlace(path: string): boolean {
  return /^(\/|~\/|~$)/.test(path);
}

function isPaths(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((path) => typeof path === "string" && isPlace(path));
}

function invalid(what: string): AoError {
  return new AoError({
    code: "config-invalid",
    message: `Invalid \`sandbox\` setting of the agent: ${what}.`,
    hint: "Write `sandbox: bubblewrap`, or `sandbox: { plugin: bubblewrap, network: none }`.",
  });
}
