import type { RuleView } from "../../protocol/views/pull-request.ts";
import { renderTable } from "./table.ts";

const MARKS: Readonly<Record<RuleView["verdict"], string>> = {
  met: "ok",
  waiting: "wait",
  blocking: "no",
  overridden: "over",
};

/** One line per rule: its verdict, its name, and why. */
export function renderRules(rules: readonly Pick<RuleView, "rule" | "verdict" | "text">[]): readonly string[] {
  return renderTable(rules.map(({ rule, verdict, text }) => [MARKS[verdict], rule, text]));
}
