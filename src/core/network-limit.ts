import { isListed } from "./host-list.ts";
import type { PluginUse } from "./plugin-use.ts";
import type { TrustPolicy } from "./policy.ts";
import { readSandbox, type SandboxNetwork } from "./sandbox.ts";
import type { SessionState } from "./session/state.ts";

/**
 * The hosts that an agent asks its model at, as its vendor ships it. An agent that is not here talks to whatever its
 * user configured, so `trust.network` has to list its hosts.
 */
export const MODEL_HOSTS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["api.anthropic.com"],
  codex: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
  rehearsal: [],
};

/** What `trust.network` means for an agent that has read untrusted text. */
export type NetworkLimit =
  /** The policy takes nothing, or the sandbox has no network to take. */
  | { readonly kind: "none" }
  /** Of the hosts in its sandbox's list, only these stay reachable. */
  | { readonly kind: "hosts"; readonly hosts: readonly string[] }
  /** The policy wants it, and this sandbox cannot do it. */
  | { readonly kind: "impossible"; readonly reason: string; readonly fix: string };

const NONE: NetworkLimit = { kind: "none" };
const NEED_LIST =
  "give its agent a sandbox with a list of hosts (`agentConfig.sandbox.network`; sessions started afterwards get it), or set `trust: { network: true }`";
const NEED_HOSTS = "list the hosts that stay reachable: `trust: { network: [api.example.com] }`, or `[]` for none";

/** What becomes of the network of an agent with these settings once it has read untrusted text. */
export function limitNetwork({ plugin, config }: PluginUse, trust: TrustPolicy | undefined): NetworkLimit {
  const kept = trust?.network;
  if (kept === undefined) return NONE;
  const network = networkOf(config["sandbox"]);
  if (network === "none") return NONE;
  if (network === null || network === "all") {
    const reason = network === null ? "its agent has no sandbox" : "its sandbox has full network access";
    return { kind: "impossible", reason, fix: NEED_LIST };
  }
  return kept === false ? limitToModel(plugin, network) : { kind: "hosts", hosts: kept };
}

// Invalid settings never started a run; they count as no sandbox.
function networkOf(written: unknown): SandboxNetwork | null {
  try {
    return readSandbox(written)?.network ?? null;
  } catch {
    return null;
  }
}

function limitToModel(plugin: string, listed: readonly string[]): NetworkLimit {
  const hosts = MODEL_HOSTS[plugin];
  if (hosts === undefined) {
    return { kind: "impossible", reason: `ao does not know the hosts of ${plugin}'s model`, fix: NEED_HOSTS };
  }
  if (hosts.length > 0 && !hosts.some((host) => isListed(listed, host))) {
    const reason = `its sandbox lists no host of its model (${hosts.join(", ")})`;
    return { kind: "impossible", reason, fix: NEED_HOSTS };
  }
  return { kind: "hosts", hosts };
}

/** The only hosts that a session's agent may reach now; null: those of its sandbox. */
export function onlyHostsOf(
  { agent, readUntrusted }: Pick<SessionState, "agent" | "readUntrusted">,
  trust: TrustPolicy | undefined,
): readonly string[] | null {
  if (readUntrusted === undefined) return null;
  const limit = limitNetwork(agent, trust);
  return limit.kind === "hosts" ? limit.hosts : null;
}

/** Is a run under exactly this limit? */
export function isUnderLimit(run: SessionState["run"], hosts: readonly string[] | null): boolean {
  const { onlyHosts = null } = run;
  return (onlyHosts?.join(" ") ?? null) === (hosts?.join(" ") ?? null);
}
