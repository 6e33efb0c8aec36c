import { shortHash } from "../hash.ts";

/** What stays the same when a check fails in the same way again: its log without times, durations and other numbers. */
export function fingerprintOf(log: string): string {
  return shortHash(log.replaceAll(/\d+/g, "#"));
}
