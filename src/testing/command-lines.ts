import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The arguments of all processes on this machine, one text each. */
export function commandLines(): readonly string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(join("/proc", name, "cmdline"), "utf8")];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}
