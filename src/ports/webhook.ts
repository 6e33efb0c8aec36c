import type { ForgeReport } from "../core/change/forge-report.ts";

/** An incoming request from a forge. */
export interface Delivery {
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** How to verify and parse the webhooks of one kind of forge. */
export interface WebhookFormat {
  /** As in the path `/api/webhooks/<scm>`. */
  readonly scm: string;
  /** The environment variable with the shared secret. */
  readonly secretVariable: string;
  /** The header that proves who sent a delivery; a delivery without it is rejected unread. */
  readonly proof: string;
  /** The events to select on the forge, by the forge's names. */
  readonly events: readonly string[];
  /** Identifies a delivery, so a repeated one is recognized; null if it has no id. */
  idOf(header: Delivery["header"]): string | null;
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** Which pull requests changed; null if it is not about a repository. Throws if it cannot be parsed. */
  parse(delivery: Delivery): ForgeReport | null;
}
