import { AoError } from "../core/errors.ts";
import type { PluginUse } from "../core/plugin-use.ts";
import { registry } from "../plugins/registry.ts";
import type { Host } from "../ports/host.ts";
import type { Plugin, Slot, SlotInstance } from "../ports/plugin.ts";

export interface PluginInstances {
  /** The instance of a plugin with this configuration; the same arguments return the same instance. */
  get<S extends Slot>(slot: S, use: PluginUse, projectPath: string): SlotInstance[S];
  has(slot: Slot, name: string): boolean;
  /** Does the plugin use a setting with this name? True for an unknown plugin. */
  takes(slot: Slot, name: string, setting: string): boolean;
}

/** Creates plugin instances from the registry and caches them. */
export function createPluginInstances(host: Host, home: string): PluginInstances {
  const instances = new Map<string, unknown>();
  const find = (slot: Slot, name: string): Plugin<Slot, unknown> | undefined =>
    (registry as readonly Plugin<Slot, unknown>[]).find((plugin) => plugin.slot === slot && plugin.name === name);
  return {
    has: (slot, name) => find(slot, name) !== undefined,
    takes: (slot, name, setting) => {
      const shape = (find(slot, name)?.config as { readonly shape?: object } | undefined)?.shape;
      return shape === undefined || Object.hasOwn(shape, setting);
    },
    get: (slot, use, projectPath) => {
      const key = JSON.stringify([slot, use.plugin, use.config, slot === "runtime" ? "" : projectPath]);
      const known = instances.get(key);
      if (known !== undefined) return known as never;
      const made = make(find(slot, use.plugin), slot, use, host, { home, projectPath });
      instances.set(key, made);
      return made as never;
    },
  };
}

function make(
  plugin: Plugin<Slot, unknown> | undefined,
  slot: Slot,
  use: PluginUse,
  host: Host,
  context: { readonly home: string; readonly projectPath: string },
): unknown {
  if (plugin === undefined) {
    throw new AoError({
      code: "plugin-unavailable",
      message: `The ${slot} "${use.plugin}" is not in this version.`,
      hint: `Available: ${namesOf(slot).join(", ")}.`,
    });
  }
  const parsed = plugin.config.safeParse(use.config);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new AoError({
      code: "config-invalid",
      message:
        `Invalid settings for the ${slot} "${use.plugin}": ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`.trim(),
      hint: slot === "agent" ? "See `agentConfig` in agent-orchestrator.yaml." : "See `ao config-help`.",
    });
  }
  return plugin.create(parsed.data, host, context);
}

function namesOf(slot: Slot): readonly string[] {
  return registry.filter((plugin) => plugin.slot === slot).map((plugin) => plugin.name);
}
