import { AoError } from "../../core/errors.ts";
import type { ProjectPolicy } from "../../core/policy.ts";
import { toPolicy } from "../adopt-policy.ts";
import type { Kernel } from "../kernel.ts";

/** The rules of each registered project that this configuration text lists; throws `config-invalid`. */
export async function rulesOfText(kernel: Kernel, text: string): Promise<ReadonlyMap<string, ProjectPolicy>> {
  const { configs, host } = kernel;
  const policies = new Map<string, ProjectPolicy>();
  const known = [...kernel.engine.loop.world.view.projects()].filter(({ removed }) => !removed);
  const machineFile = await configs.machineFile(known);
  for (const project of known) {
    // Relative paths mean the same as in the file that the text would replace.
    const { config } = configs.interpret(project.configFile ?? project.path, text);
    const own = config.projects[project.id];
    const machine = project.configFile === machineFile ? config.machine : await configs.machine(known);
    if (own !== undefined) policies.set(project.id, await toPolicy(host, project, own, machine));
  }
  if (policies.size > 0) return policies;
  throw new AoError({
    code: "config-invalid",
    message: "The configuration lists none of the registered projects.",
    hint: `Under \`projects:\`, name one of: ${known.map(({ id }) => id).join(", ")}.`,
  });
}
