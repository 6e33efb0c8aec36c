import { join } from "node:path";
import { PROXY_FOLDER, PROXY_PORT, PROXY_SOCKET, type SandboxNetwork } from "../../core/sandbox.ts";
import type { EnclosedProgram } from "../../engine/executor.ts";
import type { Host } from "../../ports/host.ts";
import type { PlaceRule } from "./bubblewrap.ts";
import { writeLimit } from "./restrict-network.ts";

/** What a program needs to reach only the listed hosts from a sandbox without network access. */
interface Gate {
  readonly rules: readonly PlaceRule[];
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments before those of the sandbox: they keep the proxy running as long as the sandbox lives. */
  readonly outside: readonly string[];
  /** Arguments before the program's own, in the sandbox. */
  readonly inside: readonly string[];
}

const CLOSED: Gate = { rules: [], environment: {}, outside: [], inside: [] };

/** The variables by which programs in a sandbox find the proxy; none without a list of hosts. */
export function gateVariables(network: SandboxNetwork): Readonly<Record<string, string>> {
  return typeof network === "string" ? {} : VARIABLES;
}

/** Programs look for either spelling. Servers in the sandbox itself are reached without the proxy. */
const ADDRESS = `http://127.0.0.1:${PROXY_PORT}`;
const VARIABLES = {
  ...{ HTTP_PROXY: ADDRESS, HTTPS_PROXY: ADDRESS, ALL_PROXY: ADDRESS },
  ...{ http_proxy: ADDRESS, https_proxy: ADDRESS, all_proxy: ADDRESS },
  ...{ NO_PROXY: "localhost,127.0.0.1,::1", no_proxy: "localhost,127.0.0.1,::1" },
  // Without this Node ignores the variables above.
  NODE_USE_ENV_PROXY: "1",
};

// The program replaces the shell, so that `ao` watches and signals the program.
const ENTER = '"$1" "$2" inside "$3" "$4" && shift 4 && exec "$@"';

/**
 * The path to the listed hosts (src/gate/main.ts): a proxy outside, with a socket in the run's folder, and a port on
 * the sandbox's own loopback that leads to that socket. The sandbox has no other network, so a program that ignores the
 * proxy reaches nothing.
 */
export async function openGate(
  host: Host,
  { runDir, onlyHosts }: Pick<EnclosedProgram, "runDir" | "onlyHosts">,
  network: SandboxNetwork,
): Promise<Gate> {
  if (typeof network === "string") return CLOSED;
  await writeLimit(host, runDir, onlyHosts ?? null);
  const folder = join(runDir, "network");
  await host.fs.makeDir(folder, { mode: 0o700 });
  const { program, script } = host.assets.gate;
  return {
    rules: [{ path: PROXY_FOLDER, as: "read", from: folder }],
    environment: VARIABLES,
    outside: [program, script, "outside", folder, JSON.stringify(network)],
    inside: ["sh", "-c", ENTER, "sh", program, script, `${PROXY_FOLDER}/${PROXY_SOCKET}`, String(PROXY_PORT)],
  };
}
