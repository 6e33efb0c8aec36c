import { join } from "node:path";
import type { Agent, AgentFolder } from "../../ports/agent.ts";

const MOVED: readonly (readonly [string, string])[] = [
  [".local/share/", "XDG_DATA_HOME"],
  [".local/state/", "XDG_STATE_HOME"],
  [".cache/", "XDG_CACHE_HOME"],
  [".config/", "XDG_CONFIG_HOME"],
];

/** A folder of a program's own, below the user's home. */
export interface HomeFolder extends Omit<AgentFolder, "path" | "adopted"> {
  readonly path: string;
  /** The variable by which users move it, and what the folder is called below that place; default: the place itself. */
  readonly variable?: string;
  readonly below?: string;
}

/** The needs of a program that reaches its model over the network and keeps these folders. */
export function footprintOf(...folders: readonly HomeFolder[]): NonNullable<Agent["footprint"]> {
  return (environment) => ({
    folders: folders.map(({ path, variable = "", below = "", ...folder }) => {
      const moved = environment[variable];
      return { ...folder, path: moved ? join(moved, below) : inHome(path, environment) };
    }),
    network: true,
  });
}

// XDG variables may point to other folders.
function inHome(folder: string, environment: Readonly<Record<string, string>>): string {
  const [usual = "", name = ""] = MOVED.find(([start]) => folder.startsWith(start)) ?? [];
  const moved = environment[name];
  return moved ? join(moved, folder.slice(usual.length)) : join(environment["HOME"] ?? "", folder);
}
