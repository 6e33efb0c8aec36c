import { z } from "zod";
import type { Plugin, Slot } from "../ports/plugin.ts";
import { suggest } from "./did-you-mean.ts";
import type { MissingVariable } from "./expand.ts";
import { canonicalPermissions } from "./permissions.ts";
import { PLUGIN_NAMES } from "./plugin-names.ts";
import { toPluginRef, type WrittenRef, withRepository } from "./plugin-ref.ts";
import { type Finding, formatPath } from "./problem.ts";
import { overlap } from "./prune.ts";
import { AgentConfig } from "./schema/plugin-ref.ts";
import type { WrittenConfig, WrittenProject } from "./schema.ts";
import type { Path } from "./schema-walk.ts";
import { fromIssue } from "./validate.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The result of validating settings with a plugin's own schema. */
export interface SettingsCheck {
  /** Settings that the plugin accepts. */
  readonly keys: readonly string[];
  readonly issues: readonly z.core.$ZodIssue[];
}

/** Validates settings with the schema of their plugin; null: this version has no such plugin. */
export type CheckSettings = (slot: Slot, name: string, settings: Settings) => SettingsCheck | null;

/** Validates with the plugins' own schemas, and rejects unknown keys: a misspelled `deny` must not be ignored. */
export function settingsChecker(plugins: readonly Plugin<Slot, unknown>[]): CheckSettings {
  return (slot, name, settings) => {
    const plugin = plugins.find((one) => one.slot === slot && one.name === name);
    if (plugin === undefined) return null;
    const { config } = plugin;
    const result = (config instanceof z.ZodObject ? config.strict() : config).safeParse(settings);
    const keys = config instanceof z.ZodObject ? Object.keys(config.shape) : [];
    return { keys, issues: result.error?.issues ?? [] };
  };
}

/** A plugin as used in one place of the file. */
interface Use {
  readonly slot: Slot;
  readonly plugin: string;
  readonly settings: Settings;
  /** Other places of the file may add to the settings. */
  readonly isPart?: boolean;
  /** Where a setting is or would be written. */
  readonly place: (key: string) => Path;
}

const SLOTS = ["runtime", "workspace", "tracker", "scm", "agent"] as const;

/** Settings of every agent that `ao` itself reads. */
const OWN: readonly string[] = ["sandbox", "interface"];
/** Settings that agents share; an agent that does not support one ignores it, and a note reports that. */
const SHARED: readonly string[] = ["model", "permissions", "command", "protocol"];

export interface WrittenFile {
  readonly written: WrittenConfig;
  /** As written, before variables are expanded, so that no secret is shown. */
  readonly raw: unknown;
  readonly missing: readonly MissingVariable[];
}

/** What the plugins reject in their settings. */
export function checkPluginSettings(file: WrittenFile, check: CheckSettings): readonly Finding[] {
  const found = usesOf(file.written).flatMap((use) => checkUse(use, check, file.raw));
  const findings = [...found, ...checkUnclaimed(file.written, check)];
  const places = new Map(findings.map((finding) => [formatPath(finding.path), finding]));
  // An unset variable is an error only where its value is used.
  return [...places.values()].filter(({ path }) => !file.missing.some((variable) => overlap(variable.path, path)));
}

/** Shared settings that the chosen agent ignores: `projects.app.agentConfig.model: has no effect with ...`. */
export function listIgnoredSettings(written: WrittenConfig, check: CheckSettings): readonly string[] {
  const ignored = usesOf(written).flatMap((use) => {
    const keys = check(use.slot, use.plugin, {})?.keys;
    if (keys === undefined || use.slot !== "agent") return [];
    const without = Object.keys(use.settings).filter((key) => SHARED.includes(key) && !keys.includes(key));
    return without.map((key) => `${formatPath(use.place(key))}: has no effect with agent ${use.plugin}, ignored`);
  });
  return [...new Set(ignored)];
}

function checkUse(use: Use, check: CheckSettings, raw: unknown): readonly Finding[] {
  const keys = check(use.slot, use.plugin, {})?.keys;
  if (keys === undefined) return [];
  const own = use.slot === "agent" ? Object.entries(use.settings).filter(([key]) => isForPlugin(key, keys)) : null;
  const settings = own === null ? use.settings : Object.fromEntries(own);
  return (check(use.slot, use.plugin, settings)?.issues ?? []).flatMap((issue): readonly Finding[] => {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
      const message = `unknown key for ${use.slot} ${use.plugin}`;
      const known = use.slot === "agent" ? [...new Set([...keys, ...OWN])] : keys;
      return issue.keys.map((key) => ({ path: use.place(key), at: "key", message, hint: suggest(key, known) }));
    }
    const [key, ...rest] = issue.path;
    const isAbsent = key !== undefined && !Object.hasOwn(settings, key);
    if (isAbsent && (use.isPart === true || use.plugin === "command")) return [];
    const base = key === undefined ? use.place("plugin").slice(0, -1) : use.place(String(key));
    return fromIssue({ ...issue, path: rest }, base, raw);
  });
}

/** Settings for an agent that is chosen later: at least one agent must know them. */
function checkUnclaimed(written: WrittenConfig, check: CheckSettings): readonly Finding[] {
  const agents = PLUGIN_NAMES.agent.available.flatMap((name) => check("agent", name, {})?.keys ?? []);
  const known = [...new Set([...agents, ...Object.keys(AgentConfig.shape)])];
  return Object.entries(written.projects ?? {}).flatMap(([id, project]) => {
    if ((project.agent ?? written.defaults?.agent ?? agentByCommand(project)) !== undefined) return [];
    const unknown = Object.keys(project.agentConfig ?? {}).filter((key) => !known.includes(key));
    return unknown.map((key): Finding => {
      const path = ["projects", id, "agentConfig", key];
      return { path, at: "key", message: "unknown key", hint: suggest(key, known) };
    });
  });
}

function isForPlugin(key: string, keys: readonly string[]): boolean {
  return keys.includes(key) || !(OWN.includes(key) || SHARED.includes(key));
}

function usesOf(written: WrittenConfig): readonly Use[] {
  const uses: Use[] = [];
  for (const slot of SLOTS) {
    const ref = written.defaults?.[slot];
    if (ref !== undefined) uses.push(defaultUse(slot, ref));
  }
  for (const [id, project] of Object.entries(written.projects ?? {})) uses.push(...projectUses(id, project, written));
  for (const [id, { plugin = id, ...settings }] of Object.entries(written.notifiers ?? {})) {
    uses.push({ slot: "notifier", plugin, settings, place: (key) => ["notifiers", id, key] });
  }
  return uses;
}

/** Projects may add missing settings. */
function defaultUse(slot: (typeof SLOTS)[number], ref: WrittenRef): Use {
  const { plugin, config } = toPluginRef(ref);
  return { slot, plugin, settings: withLevel(config), isPart: true, place: (key) => ["defaults", slot, key] };
}

function projectUses(id: string, project: WrittenProject, file: WrittenConfig): readonly Use[] {
  const at: Path = ["projects", id];
  return SLOTS.flatMap((slot): readonly Use[] => {
    const fallback = file.defaults?.[slot];
    const named = project[slot] ?? fallback ?? (slot === "agent" ? agentByCommand(project) : undefined);
    if (named === undefined) return [];
    const ref = toPluginRef(named);
    const inherited = fallback === undefined ? null : toPluginRef(fallback);
    const beneath = inherited?.plugin === ref.plugin ? inherited.config : {};
    const own = slot === "agent" ? (project.agentConfig ?? {}) : {};
    const written = { ...beneath, ...ref.config, ...own };
    const settings = { ...withRepository({ plugin: ref.plugin, config: written }, project.repo).config };
    const place = (key: string): Path => {
      if (Object.hasOwn(settings, key) && !Object.hasOwn(written, key)) return [...at, key];
      if (slot === "agent" && (Object.hasOwn(own, key) || !Object.hasOwn(settings, key))) {
        return [...at, "agentConfig", key];
      }
      const isOwn = project[slot] !== undefined && (Object.hasOwn(ref.config, key) || !Object.hasOwn(settings, key));
      return isOwn ? [...at, slot, key] : ["defaults", slot, key];
    };
    return [{ slot, plugin: ref.plugin, settings: withLevel(settings), place }];
  });
}

/** A command alone is enough to select the agent `command`. */
function agentByCommand(project: WrittenProject): string | undefined {
  return project.agentConfig?.command === undefined ? undefined : "command";
}

function withLevel(settings: Settings): Settings {
  const { permissions } = settings;
  return typeof permissions === "string" ? { ...settings, permissions: canonicalPermissions(permissions) } : settings;
}
