import { COST_GROUPINGS } from "../../protocol/choices.ts";
import type { CostGrouping } from "../../protocol/views/cost.ts";
import { didYouMean, misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { type CostTable, explainCosts, renderCosts } from "../views/cost-table.ts";
import { note, print, printJson } from "../views/print.ts";
import { style } from "../views/style.ts";

const DAY_MS = 86_400_000;

export const command = defineCommand({
  name: "cost",
  summary: "tokens and money by session, task, pull request, outcome, reason, model or day",
  usage: [
    "[--by session|task|pull-request|outcome|reason|model|day] [--since DAY] [--project ID] [--json]",
    "SESSION [--by model|day] [--since DAY] [--json]",
  ],
  arguments: [{ name: "SESSION", summary: "only this one, by model or day", optional: true, names: "session" }],
  options: {
    by: {
      type: "string",
      value: "WHAT",
      summary: "session (the default), task, pull-request (merged ones), outcome, reason, model or day",
    },
    since: {
      type: "string",
      value: "DAY",
      summary: "since a day (2026-07-01) or for the last days (7d); days are UTC",
    },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ["ao cost", "ao cost --by pull-request --since 7d", "ao cost my-app-fix-login --by day"],
  details:
    "Costs are as reported by agents; ~ marks an estimate from list prices; no price means unknown.\n" +
    "`prices` in the configuration adds and overrides list prices.\n" +
    "--by outcome separates what was merged, is in progress, or was discarded (stopped without a merge).\n" +
    "--by reason separates the task itself (work) from answers to reviews (review) and repairs of failed checks and conflicts (fixes).",
  async run({ args: [session], options }) {
    const by = await readGrouping(options.by, session === undefined ? COST_GROUPINGS : ["model", "day"]);
    const since = options.since === undefined ? {} : { since: readDay(options.since, Date.now()) };
    const client = connect();
    if (session !== undefined) {
      const answer = await client.call("GET /api/sessions/:id/cost", { params: { id: session }, input: since });
      if (options.json === true) return printJson(answer);
      const rows = by === "day" ? answer.days : answer.models;
      return show({ by, rows, total: answer }, answer.pricesDate);
    }
    const project = options.project === undefined ? {} : { project: options.project };
    const answer = await client.call("GET /api/costs", { input: { by, ...since, ...project } });
    if (options.json === true) printJson(answer);
    else show({ by, rows: answer.data, total: answer.total }, answer.pricesDate);
  },
});

function show(table: CostTable, pricesDate: string): void {
  if (table.rows.length === 0) {
    print(table.by === "pull-request" ? "no merged pull request has any usage" : "no usage yet");
    return;
  }
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
  print(renderCosts(table, { style: style(process.stdout), columns }).join("\n"));
  for (const line of explainCosts(table.total, pricesDate)) note(line);
}

async function readGrouping(
  written: string | undefined,
  offered: readonly [CostGrouping, ...CostGrouping[]],
): Promise<CostGrouping> {
  // The word used by the first version.
  const meant = written === "change" ? "pull-request" : (written ?? offered[0]);
  const found = offered.find((known) => known === meant);
  if (found !== undefined) return found;
  const hint = (await didYouMean(written ?? "", offered)) ?? `--by ${offered.join(", ")}`;
  throw misuse(`unknown --by "${written}"`, hint);
}

function readDay(written: string, now: number): string {
  if (/^\d{4}-\d\d-\d\d$/.test(written)) return written;
  const days = /^(\d+)d$/.exec(written)?.[1];
  if (days === undefined) throw misuse(`--since is not a day: ${written}`, "Write 2026-07-01, or 7d for 7 days ago.");
  return new Date(Math.max(0, now - Number(days) * DAY_MS)).toISOString().slice(0, 10);
}
