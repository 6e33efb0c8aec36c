import type { Config } from "../../config/config.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { ConfigTextBody } from "../../protocol/bodies/config.ts";
import type { EditedRules } from "../../server/actions.ts";
import { toPolicy } from "../adopt-policy.ts";
import type { Kernel } from "../kernel.ts";
import { fileOf } from "./config-text.ts";

/** The rules of every project, as its file has them and as it would if this text were saved; throws `config-invalid`. */
export async function rulesOfEdit(
  kernel: Kernel,
  { project: projectId, text }: ConfigTextBody,
): Promise<ReadonlyMap<string, EditedRules>> {
  const { configs, host } = kernel;
  const file = await fileOf(kernel, projectId);
  const { config: edited } = configs.interpret(file, text);
  const inForce = await configs.inForce(file);
  const known = [...kernel.engine.loop.world.view.projects()].filter(({ removed }) => !removed);
  const isMachine = (await configs.machineFile(known)) === file;
  const machine = await configs.machine(known);
  const rules = new Map<string, EditedRules>();
  for (const project of known) {
    const rulesOf = async (config: Config | null) => {
      const own = await ownPart(kernel, project, project.configFile === file ? config : undefined);
      // Machine-wide keys concern projects with other files too.
      return own === undefined ? null : toPolicy(host, project, own, isMachine ? (config?.machine ?? null) : machine);
    };
    const [before, after] = [(await rulesOf(inForce)) ?? project.policy, await rulesOf(edited)];
    if (before !== null && after !== null) rules.set(project.id, { before, after });
  }
  return rules;
}

/** The project's part of this configuration; undefined: of the one in force. */
async function ownPart({ configs }: Kernel, project: ProjectState, config: Config | null | undefined) {
  return config === undefined ? configs.configOf(project) : config?.projects[project.id];
}
