import { AUDIT_OUTCOMES } from "../../protocol/choices.ts";
import type { AuditEntryView } from "../../protocol/views/audit.ts";
import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";
import { renderTable } from "../views/table.ts";

const DEFAULT_LIMIT = 50;

export const command = defineCommand({
  name: "audit",
  summary: "list who changed what through the API",
  usage: ["[--outcome OUTCOME] [--limit N] [--cursor CURSOR] [--json]"],
  arguments: [],
  options: {
    outcome: { type: "string", value: "OUTCOME", summary: `only these: ${AUDIT_OUTCOMES.join(", ")}` },
    limit: { type: "string", value: "N", summary: `entries to show, newest first (default: ${DEFAULT_LIMIT})` },
    cursor: { type: "string", value: "CURSOR", summary: "continue after an earlier page" },
    json: JSON_OPTION,
  },
  examples: ["ao audit", "ao audit --outcome refused --limit 10"],
  details: "Lists every write from the CLI, the dashboard, tokens and sessions, including refused ones.",
  async run({ options }) {
    const outcome = AUDIT_OUTCOMES.find((known) => known === options.outcome);
    if (options.outcome !== undefined && outcome === undefined) {
      throw misuse(`unknown --outcome "${options.outcome}"`, `Use one of ${AUDIT_OUTCOMES.join(", ")}.`);
    }
    const limit = Number(options.limit ?? DEFAULT_LIMIT);
    if (!Number.isInteger(limit) || limit < 1) throw misuse(`"${options.limit}" is not a count`, "Use --limit 20.");
    const answer = await connect().call("GET /api/audit", {
      input: {
        limit,
        ...(outcome === undefined ? {} : { outcome }),
        ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
      },
    });
    if (options.json === true) return printJson(answer);
    if (answer.data.length === 0) return print("no writes recorded");
    print(renderTable([["WHEN", "WHO", "OUTCOME", "CALL"], ...answer.data.map(toRow)]).join("\n"));
    if (answer.next !== undefined) note(`more: ao audit --limit ${limit} --cursor ${answer.next}`);
  },
});

function toRow({ at, by, call, outcome, code }: AuditEntryView): readonly string[] {
  const when = new Date(at).toLocaleString("sv-SE");
  return [when, `${by.kind} ${by.name}`.trim(), code === null ? outcome : `${outcome}: ${code}`, call];
}
