import { isDeepStrictEqual } from "node:util";
import { formatPath } from "./problem.ts";
import { overlap } from "./prune.ts";
import type { WrittenConfig } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

/** Keys for the whole machine: they come from one file and are not merged with others. */
const MACHINE_KEYS: readonly Path[] = [
  ["port"],
  ["host"],
  ["defaults", "notifiers"],
  ["limits", "parallelAgents"],
  ["limits", "ciRuns"],
  ["limits", "memory"],
  ["limits", "load"],
  ["prices"],
  ["orchestrator", "maxParallelAgents"],
  ["orchestrator", "max_parallel_agents"],
  ["orchestrator", "autoAssign"],
  ["orchestrator", "auto_assign"],
  ["agents"],
  ["notifiers"],
  ["notificationRouting"],
  ["plugins"],
  ["hooks"],
  ["lifecycle"],
  ["dashboard"],
  ["webhooks"],
  ["power"],
];

/** Does a key apply to the whole machine? */
export function isMachineWide(path: Path): boolean {
  return MACHINE_KEYS.some((key) => key.length <= path.length && overlap(key, path));
}

/** Machine-wide keys of a file while another file is in force: `limits.parallelAgents: ignored; ...`. */
export function listOverruled(
  written: WrittenConfig,
  inForce: { readonly file: string; readonly written: WrittenConfig },
): readonly string[] {
  return MACHINE_KEYS.flatMap((path) => {
    const own = valueAt(written, path);
    if (own === undefined || isDeepStrictEqual(own, valueAt(inForce.written, path))) return [];
    return [`${formatPath(path)}: ignored; machine-wide keys come from ${inForce.file}`];
  });
}

function valueAt(written: WrittenConfig, path: Path): unknown {
  return path.reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[String(part)], written);
}
