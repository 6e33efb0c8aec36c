import { describe, expect, it } from "vitest";
import type { WebhookView } from "../../protocol/views/webhook.ts";
import { renderWebhooks } from "./webhook.ts";

function aWebhook(more: Partial<WebhookView> = {}): WebhookView {
  return {
    scm: "github",
    url: "http://localhost:3000/api/webhooks/github",
    isPublic: false,
    secretVariable: "GITHUB_WEBHOOK_SECRET",
    hasSecret: false,
    events: ["Pull requests", "Check runs"],
    deliveredAt: null,
    ...more,
  };
}

describe("ao webhook listen", () => {
  it("explains how to set the secret, and how a forge reaches a machine without a public address", () => {
    const text = renderWebhooks([aWebhook()], 0);
    expect(text).toContain("export GITHUB_WEBHOOK_SECRET=$(openssl rand -hex 32) && ao start");
    expect(text).toContain("--target http://localhost:3000/api/webhooks/github");
    expect(text).toContain("ao config set webhooks.url");
  });

  it("shows what to enter on the forge, and the time of the last delivery", () => {
    const url = "https://hooks.example/api/webhooks/github";
    const deliveredAt = "2026-07-01T00:00:00.000Z";
    const set = aWebhook({ url, isPublic: true, hasSecret: true, deliveredAt });
    expect(renderWebhooks([set], Date.parse(deliveredAt) + 240_000)).toBe(
      [
        "github",
        `  URL     ${url}`,
        "  Secret  the value of GITHUB_WEBHOOK_SECRET",
        "  Format  application/json",
        "  Events  Pull requests, Check runs",
        "  Last    4m ago",
      ].join("\n"),
    );
  });
});
