import { writeOutHidden } from "../../../../src/core/hidden-characters.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { stateOf } from "../../lib/state-of.ts";

/** A session as a screen reader names it: "Permission: Cache product images". */
export function nameOfSession(session: SessionView): string {
  return writeOutHidden(`${stateOf(session).label}: ${session.title}`);
}
