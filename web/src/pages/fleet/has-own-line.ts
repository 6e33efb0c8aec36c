import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { fitBeside, needButtons } from "./need-buttons.ts";

/** Do the buttons of a need, or the field for a message, take a line of their own below it? */
export function hasOwnLine(session: SessionView, isWriting: boolean): boolean {
  return isWriting || !fitBeside(needButtons(session));
}
