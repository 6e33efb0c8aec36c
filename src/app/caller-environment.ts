import type { CallerShell } from "../core/session/state.ts";
import { KEY_VARIABLES } from "./find-agents.ts";
import type { Kernel } from "./kernel.ts";

type Variables = Readonly<Record<string, string>> | undefined;

/** Where programs are and which language they use; none of it is secret, so it is recorded with the session. */
const RECORDED: readonly string[] = ["PATH", "SSH_AUTH_SOCK", "LANG", "TERM"];

/** What a session records of its caller's shell in the log. */
export function shellOf(env: Variables): CallerShell {
  return pick(env, RECORDED);
}

/** Takes the plugins' keys from a caller's shell. */
export function takeKeys(kernel: Pick<Kernel, "keys">, env: Variables): void {
  for (const [name, value] of Object.entries(pick(env, KEY_VARIABLES))) kernel.keys.set(name, value);
}

function pick(env: Variables, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env ?? {}).filter(([name]) => names.includes(name)));
}
