import type { MachineConfig } from "../../config/config.ts";
import { namesOf } from "../../config/plugin-names.ts";
import { AoError } from "../../core/errors.ts";
import type { Notice } from "../../ports/notifier.ts";
import type { NotifyTestView } from "../../protocol/views/daemon.ts";
import type { Kernel } from "../kernel.ts";
import { notifierOf, routingOf } from "../notifiers.ts";

/** Sends a test notice to one notifier, or to each one in use, and returns the results. */
export async function testNotifiers(kernel: Kernel, name: string | null): Promise<readonly NotifyTestView[]> {
  const world = kernel.engine.loop.world.view;
  const machine = await kernel.configs.machine(world.projects());
  const routed = machine === null ? [] : Object.values(await routingOf(kernel, machine)).flat();
  const known = [...new Set([...Object.keys(machine?.notifiers ?? {}), ...routed])];
  if (name !== null && !known.includes(name) && !namesOf("notifier").includes(name)) throw await unknown(kernel, name);
  const wanted = name === null ? known : [name];
  if (wanted.length === 0) {
    const hint = "Name one: `ao config set defaults.notifiers '[desktop]'`, or try `ao notify test desktop`.";
    throw new AoError({ code: "config-invalid", message: "No notifier is configured, and there is no desktop.", hint });
  }
  return Promise.all(wanted.map((one) => testOne(kernel, machine, one)));
}

/** A notifier that no configuration names, or only a file that is not in force for the machine. */
async function unknown(kernel: Kernel, name: string): Promise<AoError> {
  const world = kernel.engine.loop.world.view;
  const inForce = await kernel.configs.machineFile(world.projects());
  for (const project of world.projects()) {
    if (project.removed || (await kernel.configs.ownMachine(project))?.notifiers[name] === undefined) continue;
    return new AoError({
      code: "config-invalid",
      message: `The notifier ${name} is in ${project.configFile}, but machine-wide keys come from ${inForce}.`,
      hint: `Move it to ${inForce}, or to ${kernel.paths.config}, which takes precedence.`,
    });
  }
  const message = `There is no notifier "${name}".`;
  return new AoError({
    code: "not-found",
    message,
    hint: "`ao config get notifiers` shows those that are configured.",
  });
}

async function testOne(kernel: Kernel, machine: MachineConfig | null, notifier: string): Promise<NotifyTestView> {
  try {
    const instance = notifierOf(kernel, machine, notifier);
    const { ok, reason } = await instance.preflight();
    if (!ok) return { notifier, sent: false, reason };
    await instance.send([testNotice(kernel.host.clock.now())]);
    return { notifier, sent: true, reason: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    const reason = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    return { notifier, sent: false, reason };
  }
}

function testNotice(at: number): Notice {
  return {
    id: `test/${at}`,
    priority: "info",
    at,
    title: "ao: a test",
    text: "Test notification from ao; no action needed.",
    projectId: null,
    sessionId: null,
    key: "test",
    act: null,
  };
}
