import { join } from "node:path";
import { loadCompiled } from "../../scripts/load-compiled.mjs";
import { measureWebhook } from "./webhook.mjs";

const SIZES = [1, 50, 500];
/** Per hour, of the 5,000 that GitHub allows; a tenth is left for people. */
const BUDGET = 4500;

/** What watching pull requests on a forge costs: requests per hour, and how soon an agent gets a red check. */
export async function measureForge(context) {
  const { measureForge: measure } = await loadCompiled("test/support/measure-forge.ts");
  const lines = [];
  for (const size of context.pick(SIZES, [1])) {
    lines.push(...toLines(await measure(size, join(context.world.dir, `forge-${size}`))));
  }
  const webhookMs = await measureWebhook(context);
  return [
    ...lines,
    toLine("forge, real daemon: failed check until its agent has the message, webhook", "ms", webhookMs, 300),
  ];
}

function toLine(name, unit, value, atMost) {
  return { name, unit, value, floor: null, floorName: null, aim: { on: "value", atMost } };
}

function toLines({ pullRequests, polling, pollingRed, webhooks, webhooksRed, pollingMs, started }) {
  const line = (name, unit, value, atMost) =>
    toLine(`forge, ${pullRequests} pull requests: ${name}`, unit, value, atMost);
  // Fifty quiet pull requests may cost at most two requests a minute.
  const most = pullRequests > 50 ? BUDGET : 120;
  return [
    line("requests an hour, polling, quiet", "", polling, most),
    line("requests an hour, polling, one check turns red", "", pollingRed, pullRequests > 50 ? BUDGET : 180),
    // Polls that make up for lost deliveries, twice an hour, with what people said.
    line("requests an hour, webhooks, quiet", "", webhooks, 5 * Math.ceil(pullRequests / 50)),
    line("requests an hour, webhooks, one check turns red", "", webhooksRed, 20 * Math.ceil(pullRequests / 50)),
    line("red check until its agent has the message, polling", "s", pollingMs / 1000, 60),
    line("programs started to watch them", "", started, 0),
  ];
}
