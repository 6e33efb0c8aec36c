import { stripVTControlCharacters } from "node:util";
import type { ReportedCheck } from "../../../core/change/observation.ts";
import { jobPath } from "./job-ref.ts";
import type { GitlabTools } from "./tools.ts";

const MAX_LOG_CHARS = 20_000;

/**
 * The command of a failed job and the end of its log; null: another system reported the check, which has at most a
 * page.
 */
export async function readCheckLog(tools: GitlabTools, check: ReportedCheck<string>): Promise<string | null> {
  const trace = await tools.client.readText({ path: `${jobPath(check.ref)}/trace` });
  if (trace === null) return null;
  const lines = trace.split("\n").map(plain);
  // The runner prints each command before running it; the last one is the one that failed.
  const step = lines.findLast((line) => line.startsWith("$ ")) ?? null;
  const text = lines.join("\n").trim().slice(-MAX_LOG_CHARS);
  return step === null ? text : `Failed step: ${step}\n\n${text}`;
}

// Without colors and section marks, which contain times that differ in every run.
function plain(line: string): string {
  const written = stripVTControlCharacters(line).replace(/section_(?:start|end):\d+:[^\r]*\r?/g, "");
  return written.replace(/\r$/, "").split("\r").at(-1) ?? "";
}
