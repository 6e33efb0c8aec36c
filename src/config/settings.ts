import type { Config, PluginRef, ProjectConfig } from "./config.ts";
import { formatPath } from "./problem.ts";
import { formatDuration } from "./schema/scalar.ts";
import type { Path } from "./schema-walk.ts";

/** An effective setting, with its key and value as people write them. */
interface Setting {
  readonly path: Path;
  readonly value: string;
}

/** A setting with a changed value; null: no value on that side. */
export interface SettingChange {
  readonly path: Path;
  readonly before: string | null;
  readonly after: string | null;
}

const SECRET = /token|secret|password|passwd|api.?key|webhook(?!s$)|credential|^env$|^notifiers$/i;
const MEBIBYTE = 1024 * 1024;

/** Every setting of a configuration that has a value, including defaults. */
export function listSettings({ machine, projects }: Config): readonly Setting[] {
  const own = Object.values(projects).flatMap((project) => projectSettings(project));
  return [...flatten(machine, []), ...own];
}

/** The differences between two configurations; a project that only one of them has is one difference. */
export function compareSettings(before: Config, after: Config): readonly SettingChange[] {
  const isShared = ({ path }: Setting): boolean =>
    path[0] !== "projects" || (hasProject(before, path) && hasProject(after, path));
  const [old, wanted] = [before, after].map((config) => byKey(listSettings(config).filter(isShared)));
  const paths = new Map([...(old ?? []), ...(wanted ?? [])]);
  const changed = [...paths].flatMap(([key, { path }]) => {
    const [from, to] = [old?.get(key)?.value ?? null, wanted?.get(key)?.value ?? null];
    return from === to ? [] : [{ path, before: from, after: to }];
  });
  return [...changed, ...compareProjects(before, after)];
}

/** A value for people; possible secrets are hidden. */
export function showValue(path: Path, value: string): string {
  return path.some((part) => SECRET.test(String(part))) ? "(hidden)" : value;
}

function hasProject({ projects }: Config, [, id]: Path): boolean {
  return Object.hasOwn(projects, String(id));
}

function compareProjects(before: Config, after: Config): readonly SettingChange[] {
  const ids = new Set([...Object.keys(before.projects), ...Object.keys(after.projects)]);
  return [...ids].flatMap((id) => {
    const [old, wanted] = [before.projects[id], after.projects[id]];
    if ((old === undefined) === (wanted === undefined)) return [];
    return [{ path: ["projects", id], before: old?.path ?? null, after: wanted?.path ?? null }];
  });
}

function byKey(settings: readonly Setting[]): ReadonlyMap<string, Setting> {
  return new Map(settings.map((setting) => [formatPath(setting.path), setting]));
}

function projectSettings({ id, agentConfig, agent, agentInterface, ...rest }: ProjectConfig): readonly Setting[] {
  const path = ["projects", id];
  const settings = { ...(agent?.config ?? agentConfig), interface: agentInterface };
  return [
    ...flatten(rest, path),
    ...flatten(agent?.plugin, [...path, "agent"]),
    ...flatten(settings, [...path, "agentConfig"]),
  ];
}

function flatten(value: unknown, path: Path): readonly Setting[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [leaf(value, path)];
  if (Array.isArray(value)) return flattenList(value, path);
  if (isPlugin(value)) return [leaf(value.plugin, path), ...flatten(value.config, path)];
  if ("kind" in value && "count" in value) return [leaf(value.count, path)];
  if ("kind" in value && "ms" in value) return [leaf(formatDuration(Number(value.ms)), path)];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, [...path, key]));
}

function flattenList(values: readonly unknown[], path: Path): readonly Setting[] {
  if (values.length === 0) return [];
  const isPlain = values.every((value) => typeof value !== "object");
  if (isPlain) return [{ path, value: `[${values.map(String).join(", ")}]` }];
  return values.map((value, index) => ({ path: [...path, index], value: JSON.stringify(value) }));
}

/** Normalized keys include the unit; people write it with the amount. */
function leaf(value: unknown, path: Path): Setting {
  const name = String(path.at(-1));
  const parent = path.slice(0, -1);
  if (name.endsWith("Ms")) return { path: [...parent, name.slice(0, -2)], value: formatDuration(Number(value)) };
  if (name.endsWith("Bytes")) return { path: [...parent, name.slice(0, -5)], value: `${Number(value) / MEBIBYTE}MB` };
  return { path, value: String(value) };
}

function isPlugin(value: object): value is PluginRef {
  return "plugin" in value && "config" in value;
}
