import type { ProjectPolicy } from "../../core/policy.ts";
import { aCheckRule, aPolicy, aRule } from "../change-builders.ts";

const MINUTE = 60_000;

/** The projects of the sample fleet. */
export const PROJECTS = [
  { id: "tern", checks: ["lint", "types", "unit", "e2e"] },
  { id: "api", checks: ["lint", "types", "unit"] },
  { id: "dock", checks: ["vet", "lint", "unit", "e2e"] },
] as const;

export type ProjectId = (typeof PROJECTS)[number]["id"];

/** Agents, each with its model and the cost it reports. */
export const AGENTS = [
  { plugin: "claude-code", model: "claude-sonnet-5", costUsd: 0.21 },
  { plugin: "codex", model: "gpt-5.3-codex", costUsd: 0 },
  { plugin: "claude-code", model: "claude-opus-5", costUsd: 0.34 },
  { plugin: "opencode", model: "qwen3-coder", costUsd: 0.09 },
] as const;

/** Task titles by project; a larger fleet reuses them. */
export const TITLES: Readonly<Record<ProjectId, readonly string[]>> = {
  tern: [
    "Retry failed uploads with backoff",
    "Test checkout on slow networks",
    "Show the delivery window in the cart",
    "Cache product images for a day",
    "Sort the order list by due date",
    "Self-host the web fonts",
    "Announce errors to screen readers",
    "Undo for deleted addresses",
    "Split the vendor bundle",
    "Remember the chosen store",
    "Translate the return form",
    "Prefill the country",
  ],
  api: [
    "Move invoices to the new tax table",
    "Reject totals with more than two decimals",
    "Write the audit log in one transaction",
    "Paginate orders by cursor",
    "End sessions after a password change",
    "Send receipts from a queue",
    "Drop the old address columns",
    "Sign webhooks with the new key",
    "Return 409 for a stale cart",
  ],
  dock: [
    "Resume uploads after a dropped connection",
    "Write the manifest before the parts",
    "Compress layers in parallel",
    "Verify parts by their checksum",
    "Delete orphaned parts at night",
    "Limit uploads per account",
  ],
};

/**
 * Sessions without an issue, by number: their ids come from their titles, as people write them. They are among every state that
 * the dashboard shows, so that its layout meets long names, emoji and text from right to left everywhere.
 */
export const LONG_TITLES: Readonly<Record<number, string>> = {
  0: "Rename constants everywhere in the very first module",
  3: "Check the layers of every image before a push, and say which one is broken",
  5: "Warn before the basket is emptied",
  6: "🧾 Print the receipt in the customer's own language 🇪🇬",
  7: `Keep what people typed when a request fails, ${"in the order form and in every form that is opened from it, ".repeat(2)}and tell them why`,
  9: "Keep rounding differences out of the totals of a month",
  13: "ترجمة نموذج الإرجاع إلى العربية (return-form.tsx) قبل الإصدار القادم",
  16: "Find out why the nightly import of customer addresses stops",
  18: "Split_the_upload_client_into_a_queue_and_a_worker_".repeat(4),
  1000: "Sort search results by distance to the chosen store",
  1003: `Say which part of an upload is missing, ${"and which one was sent twice, ".repeat(5)}and stop`,
};

export const ACTIVITIES = [
  "editing src/account/address-list.tsx",
  "running npm run build, 41 s",
  "reading src/store/picker.ts",
  "running npm test -- receipts, 12 s",
  "writing migrations/0091_drop_address.sql",
  "thinking",
] as const;

/** What the projects allow: nothing merges without a person, and agents get two attempts in 40 minutes. */
export function samplePolicy(checks: readonly string[]): ProjectPolicy {
  const soon = { kind: "duration", ms: 40 * MINUTE } as const;
  const byPerson = (priority: "urgent" | "action" | "info") => aRule({ action: "notify", retries: 0, priority });
  return aPolicy({
    checks: Object.fromEntries(checks.map((name) => [name, aCheckRule({ run: `npm run ${name}` })])),
    train: { batch: 1 },
    reactions: {
      "ci-failed": aRule({ escalateAfter: soon }),
      "changes-requested": aRule({ escalateAfter: soon }),
      "approved-and-green": byPerson("action"),
      "agent-needs-input": byPerson("urgent"),
      "agent-stuck": { ...byPerson("urgent"), thresholdMs: 8 * MINUTE },
      "agent-idle": { ...byPerson("info"), thresholdMs: 10 * MINUTE },
      "agent-exited": byPerson("urgent"),
      "rate-limited": byPerson("info"),
    },
  });
}
