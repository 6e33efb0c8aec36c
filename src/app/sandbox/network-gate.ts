import { join } from "node:path";
import { PROXY_FOLDER, PROXY_PORT, PROXY_SOCKET, type SandboxNetwork } from "../../core/sandbox.ts";
import type { Host } from "../../ports/host.ts";
import type { PlaceRule } from "./bubblewrap.ts";

/** What a program needs to reach the listed hosts, and nothing else, from a sandbox that has no network. */
interface Gate {
  readonly rules: readonly PlaceRule[];
  readonly environment: Readonly<Record<string, string>>;
  /** Words that go before those of the sandbox: they keep the proxy for as long as the sandbox lives. */
  readonly outside: readonly string[];
  /** Words that go before the program's own, in the sandbox. */
  readonly inside: readonly string[];
}

const CLOSED: Gate = { rules: [], environment: {}, outside: [], inside: [] };

/** Programs look for either spelling. What runs in the sandbox itself is reached without the proxy. */
const ADDRESS = `http://127.0.0.1:${PROXY_PORT}`;
const VARIABLES = {
  ...{ HTTP_PROXY: ADDRESS, HTTPS_PROXY: ADDRESS, ALL_PROXY: ADDRESS },
  ...{ http_proxy: ADDRESS, https_proxy: ADDRESS, all_proxy: ADDRESS },
  ...{ NO_PROXY: "localhost,127.0.0.1,::1", no_proxy: "localhost,127.0.0.1,::1" },
  // Without this Node ignores the variables above.
  NODE_USE_ENV_PROXY: "1",
};

// The program takes the shell's place, so that it is the one that `ao` watches and signals.
const ENTER = '"$1" "$2" inside "$3" "$4" && shift 4 && exec "$@"';

/**
 * The way to the hosts of a list (src/gate/main.ts): a proxy outside, with a socket in the run's folder, and a port of the sandbox's own loopback
 * that leads to that socket. The sandbox has no other network, so nothing that ignores the proxy gets anywhere.
 */
export async function openGate(host: Host, runDir: string, network: SandboxNetwork): Promise<Gate> {
  if (typeof network === "string") return CLOSED;
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
