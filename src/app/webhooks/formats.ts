import type { WebhookFormat } from "../../ports/webhook.ts";
import { githubWebhook } from "../../providers/github/webhook.ts";
import { gitlabWebhook } from "../../providers/gitlab/webhook.ts";

/** The forges with supported webhooks. */
export const WEBHOOK_FORMATS: readonly WebhookFormat[] = [githubWebhook, gitlabWebhook];
