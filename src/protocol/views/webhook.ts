import { z } from "zod";
import type { View } from "./view.ts";

export const WebhookView = z
  .object({
    scm: z.string(),
    url: z.string().describe("Where the forge delivers to: below `webhooks.url`, or below the daemon's own address."),
    isPublic: z.boolean().describe("`webhooks.url` is configured."),
    secretVariable: z.string().describe("The environment variable with the secret."),
    hasSecret: z.boolean(),
    events: z.array(z.string()).describe("What to choose on the forge."),
    deliveredAt: z.iso.datetime().nullable().describe("When its last delivery was taken; null: none ever was."),
  })
  .meta({ id: "WebhookView" });
export type WebhookView = View<typeof WebhookView>;

export const DeliveryView = z
  .object({
    pullRequests: z.int().describe("How many open pull requests of sessions it is about; they are read again."),
  })
  .meta({ id: "DeliveryView" });
