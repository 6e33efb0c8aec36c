import type { NamedSlot } from "./plugin-names.ts";
import type { WrittenRef } from "./plugin-ref.ts";
import type { WrittenConfig } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

/** A place in the file where a plugin is named. */
export interface PluginUse {
  readonly slot: NamedSlot;
  readonly name: string;
  readonly path: Path;
}

const PROJECT_SLOTS = ["runtime", "agent", "workspace", "tracker", "scm"] as const;

/** Every place where the file names a plugin. */
export function pluginUses(written: WrittenConfig): readonly PluginUse[] {
  const uses: PluginUse[] = [];
  function add(slot: NamedSlot, ref: WrittenRef | undefined, path: Path): void {
    if (ref === undefined) return;
    if (typeof ref === "string") uses.push({ slot, name: ref, path });
    else uses.push({ slot, name: ref.plugin, path: [...path, "plugin"] });
  }
  for (const slot of PROJECT_SLOTS) add(slot, written.defaults?.[slot], ["defaults", slot]);
  add("terminal", written.defaults?.terminal, ["defaults", "terminal"]);
  for (const [id, project] of Object.entries(written.projects ?? {})) {
    for (const slot of PROJECT_SLOTS) add(slot, project[slot], ["projects", id, slot]);
  }
  for (const [index, agent] of (written.agents ?? []).entries()) {
    add("runtime", agent.runtime, ["agents", index, "runtime"]);
    add("agent", agent.tool, ["agents", index, "tool"]);
  }
  return [...uses, ...notifierUses(written)];
}

/** Notifiers are named by an entry of `notifiers`, or by the plugin itself. */
function notifierUses(written: WrittenConfig): readonly PluginUse[] {
  const uses: PluginUse[] = [];
  const entries = written.notifiers ?? {};
  for (const [id, entry] of Object.entries(entries)) {
    if (entry.plugin === undefined) uses.push({ slot: "notifier", name: id, path: ["notifiers", id] });
    else uses.push({ slot: "notifier", name: entry.plugin, path: ["notifiers", id, "plugin"] });
  }
  const lists: [Path, readonly string[]][] = [[["defaults", "notifiers"], written.defaults?.notifiers ?? []]];
  for (const [level, names] of Object.entries(written.notificationRouting ?? {})) {
    lists.push([["notificationRouting", level], names ?? []]);
  }
  for (const [path, names] of lists) {
    for (const [index, name] of names.entries()) {
      if (!Object.hasOwn(entries, name)) uses.push({ slot: "notifier", name, path: [...path, index] });
    }
  }
  return uses;
}
