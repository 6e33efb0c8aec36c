import { spawnSync } from "node:child_process";
import { AoError } from "../../core/errors.ts";
import { connect } from "../client/client.ts";
import { appEntry } from "../client/launch-daemon.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { type Style, style } from "../views/style.ts";
import { examine, type Finding } from "./doctor/examine-machine.ts";

export const command = defineCommand({
  name: "doctor",
  summary: "check prerequisites and say how to fix what is missing",
  usage: ["[--fix] [--json]"],
  arguments: [],
  options: {
    fix: { type: "boolean", summary: "repair what can be repaired without losing anything" },
    json: JSON_OPTION,
  },
  examples: ["ao doctor"],
  details:
    "For each project it checks that the agent can start (program, version, login as far as that can be seen, runtime) and\n" +
    "which notifiers work. Whether the vendor's service accepts the login shows in the first turn.",
  async run({ options }) {
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
    throw new AoError({ code: "conflict", message: `${failed} of ${findings.length} checks failed` });
  },
});

/** `ok    git: 2.39.5`, with the fix below what is not fine. */
export function renderFinding(finding: Finding, paint: Style): string {
  const color = { ok: paint.green, warn: paint.yellow, fail: paint.red }[finding.state];
  const fix = finding.fix === null ? "" : `\n      fix: ${finding.fix}`;
  return `${color(finding.state.padEnd(4))}  ${finding.name}: ${finding.text}${fix}`;
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
