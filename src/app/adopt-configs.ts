import { adoptMachine } from "./actions/add-project.ts";
import type { Kernel } from "./kernel.ts";

/** Applies changes in the YAML files; for an invalid file, the last valid text stays in force. */
export async function adoptConfigs(kernel: Kernel): Promise<void> {
  const { engine, configs } = kernel;
  for (const project of engine.loop.world.view.projects()) {
    if (project.removed) continue;
    const register = await configs.reread(project);
    if (register !== null) await engine.submit({ input: register });
  }
  await adoptMachine(kernel);
}
