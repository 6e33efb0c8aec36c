import { lineOf, type Variables } from "../reaction/template.ts";
import type { ChangeState } from "./state.ts";

/** The variables available in every message about a pull request. */
export function namesOf(change: ChangeState): Variables {
  return {
    pr: `#${change.number}`,
    number: String(change.number),
    title: lineOf(change.title),
    branch: change.branch,
    base: change.base,
  };
}
