import { adoptMachine } from "./actions/add-project.ts";
import type { Kernel } from "./kernel.ts";

/** Brings what changed in the YAML files into force; of a bad file, the last good text stays. */
export async function adoptConfigs(kernel: Kernel): Promise<void> {
  const { engine, configs } = kernel;
  for (const project of engine.loop.world.view.projects()) {
    if (project.removed) continue;
    const register = await configs.reread(project);
    if (register !== null) await engine.submit({ input: register });
  }
  await adoptMachine(kernel);
}
