import { registry } from "../plugins/registry.ts";
import type { AgentProblem } from "../ports/agent.ts";
import type { Host } from "../ports/host.ts";
import type { Plugin, Slot } from "../ports/plugin.ts";
import { findProgram } from "../providers/bridged/program.ts";

/** Programs that a plugin cannot do without and that are not on PATH, so that nobody learns it from a session that fails. */
export async function findMissingPrograms(
  host: Host,
  slot: Slot,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly AgentProblem[]> {
  const plugin = (registry as readonly Plugin[]).find((one) => one.slot === slot && one.name === name);
  const problems: AgentProblem[] = [];
  for (const { program, fix } of plugin?.requires ?? []) {
    if ((await findProgram(host, program, { cwd: "/", environment })) !== null) continue;
    const message = `The ${slot} ${name} needs ${program}, which is not installed.`;
    problems.push({ code: "program-missing", message, hint: fix });
  }
  return problems;
}
