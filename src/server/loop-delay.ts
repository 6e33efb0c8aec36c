import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Gauge } from "./metrics.ts";

/** How often the delay is measured; the figures are what comes on top of that. */
const EVERY_MS = 10;
const QUANTILES = [0.5, 0.99, 1] as const;

/** How long other work kept the daemon from answering, since the figure was last read; the first read starts measuring. */
export function createLoopDelay(): () => Gauge {
  let measured: IntervalHistogram | null = null;
  return () => {
    measured ??= start();
    const values = QUANTILES.map(
      (quantile) => [{ quantile: String(quantile) }, secondsOf(measured, quantile)] as const,
    );
    measured.reset();
    return {
      name: "ao_event_loop_delay_seconds",
      help: "How long other work delayed the daemon, since the last time this was read.",
      type: "gauge",
      values,
    };
  };
}

function start(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: EVERY_MS });
  histogram.enable();
  return histogram;
}

function secondsOf(histogram: IntervalHistogram | null, quantile: number): number {
  if (histogram === null || histogram.count === 0) return 0;
  const ms = (quantile === 1 ? histogram.max : histogram.percentile(quantile * 100)) / 1e6;
  return Math.max(0, ms - EVERY_MS) / 1000;
}
