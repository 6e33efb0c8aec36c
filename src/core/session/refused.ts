import { readSandbox, type Sandbox } from "../sandbox.ts";
import type { SessionState } from "./state.ts";

/** What the sandbox of a session refused, with the setting that allows it to sessions which start later. */
export function describeRefused({ agent }: SessionState, kind: "host" | "path", what: string): string {
  const { network, writable } = sandboxOf(agent.config["sandbox"]);
  const hosts = typeof network === "string" ? network : list(kind === "host" ? [...network, what] : network);
  const paths = kind === "path" ? [...writable, folderFor(what)] : writable;
  const rest = paths.length === 0 ? "" : `, writable: ${list(paths)}`;
  const setting = `agentConfig.sandbox: { plugin: bubblewrap, network: ${hosts}${rest} }`;
  const refused = kind === "host" ? `cannot reach ${what}` : `cannot write ${what}`;
  return `${refused} in its sandbox; to allow it to new sessions, set \`${setting}\``;
}

function sandboxOf(written: unknown): Sandbox {
  try {
    return readSandbox(written) ?? { network: "all", writable: [] };
  } catch {
    return { network: "all", writable: [] };
  }
}

/** What has to exist to be listed as writable: the file may not. */
function folderFor(path: string): string {
  const folder = path.replace(/\/+$/, "").replace(/\/[^/]*$/, "");
  return folder === "" ? path : folder;
}

function list(items: readonly string[]): string {
  return `[${items.map((item) => (/^[\w./~-]+$/.test(item) ? item : JSON.stringify(item))).join(", ")}]`;
}
