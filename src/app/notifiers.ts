import type { MachineConfig } from "../config/config.ts";
import type { NoticePriority } from "../core/notice/notice.ts";
import type { Notifier } from "../ports/notifier.ts";
import type { PluginInstances } from "./plugin-instances.ts";

type Routing = Readonly<Record<NoticePriority, readonly string[]>>;

interface Plugins {
  readonly plugins: PluginInstances;
}

const DESKTOP = "desktop";

/** Which notifiers get which notices. Without configuration, the desktop shows urgent ones, if there is one. */
export async function routingOf(kernel: Plugins, machine: MachineConfig): Promise<Routing> {
  if (!isUnconfigured(machine)) {
    const all = machine.defaults.notifiers ?? [];
    const { urgent = all, action = all, warning = all, info = all } = machine.notificationRouting;
    return { urgent, action, warning, info };
  }
  const { ok } = await notifierOf(kernel, machine, DESKTOP).preflight();
  return { urgent: ok ? [DESKTOP] : [], action: [], warning: [], info: [] };
}

/** Does the configuration not mention notifiers? */
export function isUnconfigured({ defaults, notifiers, notificationRouting }: MachineConfig): boolean {
  const isRouted = Object.keys(notificationRouting).length > 0;
  return defaults.notifiers === null && !isRouted && Object.keys(notifiers).length === 0;
}

/** A notifier by its name in the configuration. */
export function notifierOf(kernel: Plugins, machine: Pick<MachineConfig, "notifiers"> | null, name: string): Notifier {
  return kernel.plugins.get("notifier", machine?.notifiers[name] ?? { plugin: name, config: {} }, "");
}
