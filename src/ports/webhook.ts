import type { ForgeReport } from "../core/change/forge-report.ts";

/** A request from a forge, as it arrived. */
export interface Delivery {
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** How the webhooks of one kind of forge are checked and read. */
export interface WebhookFormat {
  /** As in the path `/api/webhooks/<scm>`. */
  readonly scm: string;
  /** The variable with the secret that both sides know. */
  readonly secretVariable: string;
  /** The header that proves who sent a delivery; one without it is refused unread. */
  readonly proof: string;
  /** What to choose on the forge, in its own words. */
  readonly events: readonly string[];
  /** The same again is the same delivery; null: it has none. */
  idOf(header: Delivery["header"]): string | null;
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** Which pull requests changed; null: it is about no repository. Throws for what cannot be read at all. */
  parse(delivery: Delivery): ForgeReport | null;
}
