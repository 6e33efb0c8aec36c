import type { RateWindow } from "../../../core/rate-window.ts";
import { nameWindow } from "../../kit/name-window.ts";
import type { EventOf } from "./events.ts";

const FIVE_HOURS = 5 * 60;
const WEEK = 7 * 24 * 60;

/** Others are about credit, not time. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["five_hour", nameWindow(FIVE_HOURS)],
  ["seven_day", nameWindow(WEEK)],
  ["seven_day_opus", `${nameWindow(WEEK)}, Opus`],
  ["seven_day_sonnet", `${nameWindow(WEEK)}, Sonnet`],
]);

/** Claude Code's rate-limit windows: all of them, or only the one closest to its limit. */
export function readWindows(info: EventOf<"rate_limit_event">["rate_limit_info"]): readonly RateWindow[] {
  const { unifiedWindows, rateLimitType, utilization, resetsAt } = info;
  const nearest =
    rateLimitType === undefined || utilization === undefined
      ? []
      : [[rateLimitType, { utilization, resetsAt }] as const];
  const all = unifiedWindows == null ? nearest : Object.entries(unifiedWindows);
  return all.flatMap(([type, window]) => {
    const name = NAMES.get(type);
    if (name === undefined || window == null) return [];
    const resets = window.resetsAt == null ? null : window.resetsAt * 1000;
    return [{ name, usedPercent: Math.min(100, Math.max(0, window.utilization * 100)), resetsAt: resets }];
  });
}
