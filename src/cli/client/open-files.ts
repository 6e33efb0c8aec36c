import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A process that is this close to its limit cannot take another connection. */
const SPARE = 3;

/** How many files a process may open, if it has reached that limit; null if not, or if the system does not say: only Linux does. */
export function findReachedLimit(pid: number | null, proc = "/proc"): number | null {
  try {
    const open = readdirSync(join(proc, `${pid}`, "fd")).length;
    const limits = readFileSync(join(proc, `${pid}`, "limits"), "utf8");
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return open >= limit - SPARE ? limit : null;
  } catch {
    return null;
  }
}
