import { readFileSync } from "node:fs";
import { processesOf } from "./fleet.ts";

/** Processes of this AO_HOME that are holders (the shells around an agent), not agents. */
export function findHolders(home: string): readonly number[] {
  return processesOf(home).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1]?.endsWith("holder.sh") === true;
    } catch {
      return false;
    }
  });
}
