import type { WebhookView } from "../../protocol/views/webhook.ts";
import { formatAge } from "../args/duration.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

const listen = defineCommand({
  name: "webhook listen",
  summary: "show what to set up on the forge: URL, secret and events",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao webhook listen"],
  details:
    "With webhooks ao gets red checks and reviews immediately; without them it polls. The daemon listens all the time: this\n" +
    "command changes nothing. docs/user/webhooks.md shows tunnels and relays.",
  async run({ options }) {
    const answer = await connect().call("GET /api/webhooks");
    if (options.json === true) return printJson(answer);
    print(renderWebhooks(answer.data, Date.now()));
  },
});

export const command = defineCommand({
  name: "webhook",
  summary: "set up webhooks from a forge",
  usage: ["listen"],
  arguments: [],
  options: {},
  examples: ["ao webhook listen"],
  subcommands: [listen],
});

/** What to set up on each forge, and what is missing locally. */
export function renderWebhooks(webhooks: readonly WebhookView[], now: number): string {
  const blocks = webhooks.map((webhook) => renderWebhook(webhook, now));
  const [first] = webhooks;
  if (first !== undefined && !first.isPublic) blocks.push(renderTunnel(first));
  return blocks.join("\n\n");
}

function renderWebhook({ scm, url, secretVariable, hasSecret, events, deliveredAt }: WebhookView, now: number): string {
  const rows = [
    ["URL", url],
    [
      "Secret",
      hasSecret ? `the value of ${secretVariable}` : `${secretVariable} is not set, so deliveries are refused`,
    ],
    ...(hasSecret ? [] : [["", `export ${secretVariable}=$(openssl rand -hex 32) && ao start`]]),
    ["Format", "application/json"],
    ["Events", events.join(", ")],
    ["Last", deliveredAt === null ? "nothing delivered yet" : `${formatAge(now - Date.parse(deliveredAt))} ago`],
  ];
  return [scm, ...rows.map(([name = "", value = ""]) => `  ${name.padEnd(8)}${value}`)].join("\n");
}

function renderTunnel({ url }: WebhookView): string {
  return [
    `The forge cannot reach ${new URL(url).origin}. Use one of:`,
    `  a relay    npx smee-client --url https://smee.io/CHANNEL --target ${url}`,
    `  a tunnel   cloudflared tunnel --url ${new URL(url).origin}`,
    "             then: ao config set webhooks.url https://NAME && ao stop && ao start",
  ].join("\n");
}
