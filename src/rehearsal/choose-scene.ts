import type { LinesMessage } from "../core/lines-protocol.ts";
import type { Script, When } from "./script.ts";

/** How often the condition of each scene was met, by the scene's place. */
export type Met = Readonly<Record<string, number>>;

/** The scene for a message, and how often each condition is met with it; every condition is counted, whoever plays. */
export function chooseScene(
  script: Script,
  message: LinesMessage,
  known: { readonly issue: string; readonly met: Met },
): { readonly scene: number | null; readonly met: Met } {
  const met: Record<string, number> = { ...known.met };
  let scene: number | null = null;
  for (const [index, { when }] of script.scenes.entries()) {
    if (!fits(when, message, known.issue)) continue;
    const count = (met[index] ?? 0) + 1;
    met[index] = count;
    if (scene === null && (when.times ?? count) === count) scene = index;
  }
  return { scene, met };
}

function fits(when: When, message: LinesMessage, issue: string): boolean {
  if (when.kind !== "any" && when.kind !== message.kind) return false;
  if (when.issue !== undefined && when.issue !== issue) return false;
  return when.matches === undefined || when.matches.test(message.text);
}
