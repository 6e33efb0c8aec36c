import { createHmac } from "node:crypto";
import type { DeliveryHeaders } from "../fake-forge/webhooks.ts";

/** The headers of a delivery, signed as GitHub signs it. */
export const githubHeaders: DeliveryHeaders = ({ id, hook, event, body }) => {
  const signature = hook.secret === null ? null : createHmac("sha256", hook.secret).update(body).digest("hex");
  return {
    "user-agent": "GitHub-Hookshot/fake",
    "x-github-event": event,
    "x-github-delivery": id,
    "x-github-hook-id": String(hook.id),
    ...(signature === null ? {} : { "x-hub-signature-256": `sha256=${signature}` }),
  };
};
