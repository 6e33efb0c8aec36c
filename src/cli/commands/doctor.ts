import { spawnSync } from "node:child_process";
import { AoError } from "../../core/errors.ts";
import type { EnvironmentView } from "../../protocol/views/environment.ts";
import { connect } from "../client/client.ts";
import { appEntry } from "../client/launch-daemon.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { type Style, style } from "../views/style.ts";
import { renderTable } from "../views/table.ts";
import { examine, type Finding } from "./doctor/examine-machine.ts";

const BEYOND_FIX = "`--fix` only repairs a damaged store; for the rest, do what the `fix:` lines say.";

export const command = defineCommand({
  name: "doctor",
  summary: "check prerequisites and say how to fix what is missing",
  usage: ["[--fix] [--json]", "--env SESSION [--json]"],
  arguments: [],
  options: {
    fix: { type: "boolean", summary: "repair a damaged store; nothing else is changed" },
    env: { type: "string", value: "SESSION", summary: "show which variables a session's programs get, and why" },
    json: JSON_OPTION,
  },
  examples: ["ao doctor", "ao doctor --env my-app-fix-login"],
  details:
    "For each project it checks that the agent can start (program, version, login where ao can check it, runtime) and\n" +
    "which notifiers work. Only the first turn shows whether the vendor accepts the login.",
  async run({ options }) {
    if (options.env !== undefined) return showEnvironment(options.env, options.json === true);
    let findings = await examine(connect());
    if (options.fix === true && findings.some((finding) => finding.repair === "store")) {
      repairStore();
      findings = await examine(connect());
    }
    const paint = style(process.stdout);
    if (options.json === true) printJson({ data: findings.map(({ repair: _, ...shown }) => shown) });
    else for (const finding of findings) print(renderFinding(finding, paint));
    const failed = findings.filter((finding) => finding.state === "fail").length;
    if (failed === 0) return;
    const message = `${failed} of ${findings.length} checks failed`;
    throw new AoError({ code: "conflict", message, ...(options.fix === true ? { hint: BEYOND_FIX } : {}) });
  },
});

async function showEnvironment(session: string, isJson: boolean): Promise<void> {
  const view = await connect().call("GET /api/sessions/:id/environment", { params: { id: session } });
  if (isJson) printJson(view);
  else print(renderEnvironment(view));
}

/** `ok    git: 2.39.5`, with the fix below a problem. */
export function renderFinding(finding: Finding, paint: Style): string {
  const color = { ok: paint.green, warn: paint.yellow, fail: paint.red }[finding.state];
  const fix = finding.fix === null ? "" : `\n      fix: ${finding.fix}`;
  return `${color(finding.state.padEnd(4))}  ${finding.name}: ${finding.text}${fix}`;
}

/** A row per variable, and the names of those that only the daemon has. */
function renderEnvironment({ variables, withheld }: EnvironmentView): string {
  const rows = variables.map(({ name, programs, rule, value }) => [
    name,
    programs.join(", "),
    rule,
    value ?? "(not shown)",
  ]);
  const table = renderTable([["VARIABLE", "FOR", "WHY", "VALUE"], ...rows]);
  const kept = withheld.length === 0 ? [] : ["", `Not passed on: ${withheld.join(", ")}`];
  return [...table, ...kept].join("\n");
}

function repairStore(): void {
  const result = spawnSync(process.execPath, [appEntry("repair")], { stdio: ["ignore", 2, 2] });
  if (result.status === 0) return;
  throw new AoError({
    code: "store-corrupt",
    message: "the store could not be repaired",
    hint: "Its copy is untouched.",
  });
}
