import { onlyHostsOf } from "./network-limit.ts";
import type { TrustPolicy } from "./policy.ts";
import { type CheckSandboxRule, readSandbox, type Sandbox, type SandboxNetwork } from "./sandbox.ts";
import type { SessionState } from "./session/state.ts";

/** The sandbox of a check. */
export interface CheckSandbox extends Sandbox {
  /** Its set-up installs packages, so it has the network even if the check has none. */
  readonly setUpNetwork: SandboxNetwork;
}

type Author = Pick<SessionState, "agent" | "readUntrusted">;

/** The sandbox for a check of code that these sessions wrote; null: it runs as the user. */
export function chooseCheckSandbox(
  rule: CheckSandboxRule = "inherit",
  authors: readonly Author[],
  trust: TrustPolicy | undefined,
): CheckSandbox | null {
  if (rule === "none") return null;
  const own = authors.map(({ agent }) => readSandbox(agent.config["sandbox"])).filter((one) => one !== null);
  if (rule === "inherit" && own.length === 0) return null;
  const limits = authors.map((author) => onlyHostsOf(author, trust)).filter((hosts) => hosts !== null);
  const limit = limits.reduce<SandboxNetwork>(narrow, "all");
  const [first] = own;
  const inherited: Sandbox = {
    network: own.map(({ network }) => network).reduce(narrow, limit),
    writable: first?.writable.filter((path) => own.every(({ writable }) => writable.includes(path))) ?? [],
  };
  const { network, writable } = { ...inherited, ...(rule === "inherit" ? {} : rule) };
  // What a session lost by reading untrusted text, its code does not get back by naming an install script.
  return { network, writable, setUpNetwork: limits.length === 0 ? "all" : network };
}

/** What both allow. */
function narrow(one: SandboxNetwork, other: SandboxNetwork): SandboxNetwork {
  if (one === "all") return other;
  if (other === "all") return one;
  if (one === "none" || other === "none") return "none";
  const both = one.filter((host) => other.includes(host));
  return both.length === 0 ? "none" : both;
}
