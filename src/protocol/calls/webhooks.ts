import { DeliveryView, WebhookView } from "../views/webhook.ts";
import { type CallTable, listOf } from "./call.ts";

export const WEBHOOK_CALLS = {
  "GET /api/webhooks": {
    tag: "daemon",
    scope: "read",
    summary: "Show what to set up on a forge, and when its last delivery came.",
    errors: [],
    answer: listOf(WebhookView),
  },
  "POST /api/webhooks/:scm": {
    tag: "daemon",
    scope: null,
    summary: "Take a delivery of a forge, signed with the secret of its webhook instead of a token.",
    errors: ["unauthorized", "forbidden", "not-found", "conflict", "usage"],
    // The delivery only says what changed; the state here changes once `ao` reads it from the forge.
    changesNothing: true,
    isSigned: true,
    status: 202,
    answer: DeliveryView,
  },
} as const satisfies CallTable;
