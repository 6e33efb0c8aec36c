import { join } from "node:path";
import type { AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import type { Where } from "./program.ts";

/** By what a login is known without asking the service. */
export interface Login {
  readonly title: string;
  /** How to log in, as a sentence. */
  readonly login: string;
  /** Null: there is nothing to go by. */
  readonly signs: { readonly variables: readonly string[]; readonly files: readonly string[] } | null;
}

/** That there is something to log in with is enough here; whether it is good only the service can say. */
export async function checkSigns(
  host: Host,
  { title, login, signs }: Login,
  where: Where,
): Promise<AgentProblem | null> {
  const { environment } = where;
  if (signs === null || signs.variables.some((name) => environment[name])) return null;
  for (const file of signs.files) {
    if ((await host.fs.stat(join(environment["HOME"] ?? "", file))) !== null) return null;
  }
  return { code: "unsupported", message: `${title} has no login on this machine.`, hint: login };
}
