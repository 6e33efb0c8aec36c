import type { AskedSignal } from "../core/agent-signal.ts";
import { encodeSignal, MAX_LINE } from "../core/lines-protocol.ts";
import type { Question } from "./driver.ts";

// Room for the sentence that says how much is missing.
const ROOM = 200;

/** The line that asks a question, whole; only what no line can hold is left out, and the end of the details says how much that is. */
export function askLine({ kind: about, ...question }: Question): string {
  const asked: AskedSignal<string> = { kind: "asked", about, ...question };
  const line = encodeSignal(asked);
  const { detail } = asked;
  if (line.length <= MAX_LINE || detail == null) return line;
  const room = MAX_LINE - ROOM - encodeSignal({ ...asked, detail: { ...detail, text: "" } }).length;
  return encodeSignal({ ...asked, detail: { ...detail, text: keepBeginning(detail.text, room) } });
}

// By the length in JSON, where a control character takes six times its place.
function keepBeginning(text: string, room: number): string {
  let kept = text.slice(0, Math.max(0, room));
  while (JSON.stringify(kept).length > room && kept !== "") {
    const ratio = room / JSON.stringify(kept).length;
    kept = kept.slice(0, Math.floor(kept.length * Math.min(ratio, 0.99)));
  }
  const whole = /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
  return `${whole}\n\n[ao: ${text.length - whole.length} more characters did not fit and are not shown]`;
}
