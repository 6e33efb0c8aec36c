import { join } from "node:path";
import { z } from "zod";
import type { AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import { definePlugin, type Plugin } from "../../ports/plugin.ts";
import { makeBridgedAgent } from "../bridged/agent.ts";
import { commandField, policyFields } from "../bridged/config.ts";
import { footprintOf } from "../bridged/footprint.ts";
import { checkProgram, type Where } from "../bridged/program.ts";
import type { AcpProfile } from "./profiles.ts";

/** The plugin for an agent with a known profile. */
export function defineAcpAgent(profile: AcpProfile): Plugin<"agent", AcpConfig> {
  const { name, title, program, minVersion, install } = profile;
  const oldest = minVersion === null ? {} : { minVersion };
  return definePlugin({
    slot: "agent",
    name,
    summary: `${title} by the Agent Client Protocol: receipts, questions by one policy, and its conversation after a crash.`,
    config: configOf(program),
    requires: [{ program, versionArgs: ["--version"], ...oldest, fix: install }],
    secrets: profile.secrets,
    variables: profile.variables,
    create: ({ model, permissions, allow, ask, deny, command }, host, context) => {
      const isFlag = profile.modelFlag !== null && model !== undefined;
      const argv = [...command, ...profile.args, ...(isFlag ? [String(profile.modelFlag), model] : [])];
      const policy = { permissions, allow, ask, deny, ...(isFlag ? {} : { model }) };
      return makeBridgedAgent(host, context.projectPath, {
        name,
        driver: "acp",
        settings: { ...settingsOf(profile), command: argv, ...policy },
        env: profile.environment,
        defaults: profile.defaults,
        secrets: profile.secrets,
        hasTerminal: false,
        check: (where) => check(host, { ...profile, command }, where),
        footprint: footprintOf(...profile.folders),
      });
    },
  });
}

/** The driver's settings for a profile, without the program and the policy. */
export function settingsOf({ title, login, dialect, mode }: AcpProfile): Readonly<Record<string, unknown>> {
  return { ...dialect, name: title, login, mode, isModeRequired: true };
}

function configOf(program: string) {
  return z.object({ ...policyFields, command: commandField(program) }).loose();
}
type AcpConfig = z.infer<ReturnType<typeof configOf>>;

async function check(
  host: Host,
  profile: AcpProfile & { readonly command: readonly string[] },
  where: Where,
): Promise<readonly AgentProblem[]> {
  const problem = (await checkProgram(host, profile, where)) ?? (await checkSigns(host, profile, where));
  return problem === null ? [] : [problem];
}

/** How to detect a login without calling the service. */
interface Login {
  readonly title: string;
  /** How to log in, as a sentence. */
  readonly login: string;
  /** Null: a login cannot be detected. */
  readonly signs: { readonly variables: readonly string[]; readonly files: readonly string[] } | null;
}

/** Only checks that credentials exist; whether they are valid only the service knows. */
async function checkSigns(host: Host, { title, login, signs }: Login, where: Where): Promise<AgentProblem | null> {
  const { environment } = where;
  if (signs === null || signs.variables.some((name) => environment[name])) return null;
  for (const file of signs.files) {
    if ((await host.fs.stat(join(environment["HOME"] ?? "", file))) !== null) return null;
  }
  return { code: "unsupported", message: `${title} has no login on this machine.`, hint: login };
}
