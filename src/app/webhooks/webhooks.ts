import type { FindingView } from "../../protocol/views/daemon.ts";
import type { WebhookView } from "../../protocol/views/webhook.ts";
import type { RawRequest } from "../../server/handler.ts";
import type { Kernel } from "../kernel.ts";
import { openDeliveries } from "./deliveries.ts";
import { WEBHOOK_FORMATS } from "./formats.ts";
import { receive } from "./receive.ts";

export interface Webhooks {
  receive(scm: string, request: RawRequest): Promise<{ readonly pullRequests: number }>;
  /** What to set up on each forge. */
  list(): readonly WebhookView[];
  /** Does the set-up work? */
  examine(): readonly FindingView[];
}

export interface WebhookOptions {
  /** This daemon's URL for forges; null: its own address, if at all. */
  readonly publicUrl: string | null;
  readonly ownUrl: () => string | null;
}

/** Webhooks of all forges, for one kernel. */
export function createWebhooks(
  kernel: Pick<Kernel, "host" | "keys" | "paths" | "engine">,
  { publicUrl, ownUrl }: WebhookOptions,
): Webhooks {
  const { host, keys, paths, engine } = kernel;
  const deliveries = openDeliveries(paths);
  const secretOf = (variable: string): string | undefined => keys.get(variable) ?? host.env[variable];
  const receiver = { deliveries, clock: host.clock, secretOf, report: engine.report };
  const list = (): readonly WebhookView[] =>
    WEBHOOK_FORMATS.map(({ scm, secretVariable, events }) => {
      const at = deliveries.lastAt(scm);
      return {
        scm,
        url: `${publicUrl ?? ownUrl() ?? "http://localhost:3000"}/api/webhooks/${scm}`,
        isPublic: publicUrl !== null,
        secretVariable,
        hasSecret: (secretOf(secretVariable) ?? "") !== "",
        events: [...events],
        deliveredAt: at === null ? null : new Date(at).toISOString(),
      };
    });
  return {
    receive: (scm, request) => receive(receiver, scm, request),
    list,
    examine: () => list().flatMap(examine),
  };
}

function examine({ scm, url, hasSecret, deliveredAt }: WebhookView): readonly FindingView[] {
  const name = `webhooks of ${scm}`;
  if (!hasSecret) return [];
  if (deliveredAt !== null) return [{ name, state: "ok", text: `last delivery ${deliveredAt}`, fix: null }];
  const text = `the secret is set, but nothing was ever delivered to ${url}; pull requests are polled`;
  return [{ name, state: "warn", text, fix: "`ao webhook listen` shows what to set up on the forge." }];
}
