import { AGENT_VARIABLES } from "./find-agents.ts";
import type { Kernel } from "./kernel.ts";

/** What later sessions take from the shell that called last. Held in memory alone: it is in no event, log or file. */
const TAKEN: ReadonlySet<string> = new Set(["PATH", "SSH_AUTH_SOCK", "LANG", "TERM", ...AGENT_VARIABLES]);

/** Takes over what agents need from the shell of a caller. */
export function takeEnvironment(
  kernel: Pick<Kernel, "refreshed">,
  env: Readonly<Record<string, string>> | undefined,
): void {
  for (const [name, value] of Object.entries(env ?? {})) if (TAKEN.has(name)) kernel.refreshed.set(name, value);
}
