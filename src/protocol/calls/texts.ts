import type { TextTable } from "./call.ts";

/** Calls that answer with text for other programs. */
export const TEXTS = {
  "GET /metrics": {
    tag: "daemon",
    scope: "read",
    summary: "Read the daemon's figures in the text format of Prometheus.",
    errors: [],
    media: "text/plain; version=0.0.4; charset=utf-8",
  },
} as const satisfies TextTable;
