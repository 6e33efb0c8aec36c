import { html } from "hono/html";
import type { Html } from "./layout.ts";

type Tone = "good" | "busy" | "bad" | "ask" | "calm";

const TONES: Readonly<Record<string, Tone>> = {
  mergeable: "good",
  merged: "good",
  passed: "good",
  approve: "good",
  working: "busy",
  starting: "busy",
  preparing: "busy",
  restarting: "busy",
  stopping: "busy",
  running: "busy",
  "checks-running": "busy",
  merging: "busy",
  failed: "bad",
  errored: "bad",
  "ci-failed": "bad",
  "check-setup-failed": "bad",
  "setup-failed": "bad",
  "timed-out": "bad",
  conflict: "bad",
  "workspace-missing": "bad",
  "changes-requested": "ask",
  "request-changes": "ask",
  "review-pending": "ask",
  "needs-input": "ask",
  "merge-waits": "ask",
  blocked: "ask",
  unknown: "ask",
};

/** A status as a small label; its color only repeats what its word says. */
export function renderBadge(status: string): Html {
  return html`<span class="badge ${TONES[status] ?? "calm"}">${status}</span>`;
}
