import { quote, quoteName, type Reader, type Variables } from "../reaction/template.ts";
import type { ChangeState } from "./state.ts";
import { hasTrustedNames } from "./trust.ts";

/** The variables available in every message about a pull request. */
export function namesOf(change: ChangeState, reader: Reader): Variables {
  return {
    pr: `#${change.number}`,
    number: String(change.number),
    title: quote("title", change.title, reader),
    branch: quoteName("branch", change.branch, { ...reader, isTrusted: hasTrustedNames(change) }),
    base: change.base,
  };
}
