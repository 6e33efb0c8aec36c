import { readFileSync, readlinkSync } from "node:fs";
import { processesOf } from "./fleet.ts";

/** Processes of this AO_HOME that are holders (the shells around an agent), without those that feed an agent its input. */
export function findHolders(home: string): readonly number[] {
  return findHolderShells(home).filter((pid) => !isFeeder(pid));
}

/** A feeder keeps the inbox file open as descriptor 7 (src/platform/holder.sh). */
function isFeeder(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/7`).endsWith("/in");
  } catch {
    return false;
  }
}

/** Processes of this AO_HOME that run the holder's script, not agents. */
export function findHolderShells(home: string): readonly number[] {
  return processesOf(home).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1]?.endsWith("holder.sh") === true;
    } catch {
      return false;
    }
  });
}
