import { join } from "node:path";
import type { Agent } from "../../ports/agent.ts";

const MOVED: readonly (readonly [string, string])[] = [
  [".local/share/", "XDG_DATA_HOME"],
  [".local/state/", "XDG_STATE_HOME"],
  [".cache/", "XDG_CACHE_HOME"],
  [".config/", "XDG_CONFIG_HOME"],
];

/**
 * The needs of a program that reaches its model over the network and stores data in these folders of the user's home.
 */
export function footprintOf(...folders: readonly string[]): NonNullable<Agent["footprint"]> {
  return (environment) => ({ folders: folders.map((folder) => inHome(folder, environment)), network: true });
}

// XDG variables may point to other folders.
function inHome(folder: string, environment: Readonly<Record<string, string>>): string {
  const [usual = "", name = ""] = MOVED.find(([start]) => folder.startsWith(start)) ?? [];
  const moved = environment[name];
  return moved ? join(moved, folder.slice(usual.length)) : join(environment["HOME"] ?? "", folder);
}
