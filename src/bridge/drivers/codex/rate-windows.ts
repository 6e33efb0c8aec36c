import type { RateWindow } from "../../../core/rate-window.ts";
import { nameWindow } from "../../kit/name-window.ts";
import type { RateLimits } from "./messages.ts";

/** Codex's rate-limit windows, by their length. */
export function readWindows({ primary, secondary }: RateLimits): readonly RateWindow[] {
  return [
    { window: primary, fallback: "primary" },
    { window: secondary, fallback: "secondary" },
  ].flatMap(({ window, fallback }) => {
    if (window == null) return [];
    const { usedPercent, windowDurationMins, resetsAt } = window;
    const name = windowDurationMins == null ? fallback : nameWindow(windowDurationMins);
    return [{ name, usedPercent, resetsAt: resetsAt == null ? null : resetsAt * 1000 }];
  });
}
