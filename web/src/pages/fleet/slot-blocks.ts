import type { SessionView } from "../../../../src/protocol/views/session.ts";
import type { VitalsInput } from "./count-vitals.ts";

export type Block = "live" | "free" | "rest" | "you";

const ORDER: readonly Block[] = ["live", "rest", "you", "free"];
/** With more than fit, each block stands for several. */
const MOST = 60;

/**
 * One block per slot: taken, or free. An agent that waits or rests holds none. Without a limit there are no slots, so each agent is a
 * block.
 */
export function slotBlocks(sessions: readonly SessionView[], slots: VitalsInput["slots"]): readonly Block[] {
  const limit = slots?.limit ?? null;
  const all = slots === null || limit === null ? agentsOf(sessions) : slotsOf(slots.used, limit);
  const shown = Math.min(all.length, MOST);
  return Array.from({ length: shown }, (_, index) => all[Math.floor((index * all.length) / shown)] ?? "free");
}

function slotsOf(used: number, limit: number): readonly Block[] {
  return Array.from({ length: Math.max(used, limit) }, (_, index) => (index < used ? "live" : "free"));
}

function agentsOf(sessions: readonly SessionView[]): readonly Block[] {
  const kinds = sessions
    .filter(({ status }) => status !== "queued")
    .map(({ state, attention }): Block => (state === "working" ? "live" : attention === null ? "rest" : "you"));
  return kinds.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}
