import { AoError } from "../../core/errors.ts";
import type { ProjectView } from "../../protocol/view.ts";
import type { CallContext } from "../../server/actions.ts";
import { toProjectView } from "../../server/views.ts";
import { adoptPolicies } from "../adopt-policy.ts";
import type { Kernel } from "../kernel.ts";

/** Registers the projects of a folder; a second time it only brings changes of the file into force. */
export async function addProject(
  kernel: Kernel,
  path: string,
  config: string | undefined,
  context: CallContext,
): Promise<{ readonly data: readonly ProjectView[]; readonly notes: readonly string[] }> {
  const { registers, notes } = await kernel.desk.read(path, config ?? null);
  if (registers.length === 0) {
    throw new AoError({
      code: "project-unknown",
      message: `No project of ${config ?? path} is on this machine.`,
      hint: "Check `projects.<id>.path`.",
    });
  }
  for (const register of registers) {
    const key = context.key === undefined ? undefined : `${context.key}/${register.id}`;
    await kernel.engine.submit({ input: register, key });
  }
  await adoptMachine(kernel);
  const world = kernel.engine.loop.world.view;
  const data = registers.flatMap(({ id }) => {
    const project = world.project(id);
    return project === undefined ? [] : [toProjectView(project, world, notes)];
  });
  return { data, notes };
}

/** Brings the machine-wide limits of the configuration into force, and what it says of each project. */
export async function adoptMachine(kernel: Kernel): Promise<void> {
  const machine = await kernel.desk.machine(kernel.engine.loop.world.view.projects());
  if (machine !== null) {
    await kernel.engine.submit({ input: { type: "fleet.limit", limit: machine.limits.parallelAgents } });
  }
  await adoptPolicies(kernel);
}
