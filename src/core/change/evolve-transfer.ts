import type { ChangeEvent } from "./events.ts";
import { newOnForge } from "./evolve-forge.ts";
import type { ChangeState } from "./state.ts";

type TransferEvent = Extract<
  ChangeEvent,
  { readonly type: "change.transfer-requested" | "change.transfer-failed" | "change.transferred" }
>;

/** Is this about a local pull request that is being published? */
export function isTransferEvent(event: ChangeEvent): event is TransferEvent {
  return event.type.startsWith("change.transfer");
}

/** Applies one of these events. */
export function evolveTransfer(state: ChangeState, event: TransferEvent): ChangeState {
  switch (event.type) {
    case "change.transfer-requested": {
      const attempt = (state.transfer?.attempt ?? 0) + 1;
      return { ...state, transfer: { by: event.by, attempt, isPending: true, reason: null } };
    }
    case "change.transfer-failed":
      return state.transfer === undefined
        ? state
        : { ...state, transfer: { ...state.transfer, isPending: false, reason: event.reason } };
    case "change.transferred": {
      if (state.forge !== undefined) return state;
      const { transfer: _, ...rest } = state;
      const { number, url, head, isDraft } = event;
      return { ...rest, number, ...(url === undefined ? {} : { url }), forge: newOnForge(head, isDraft) };
    }
  }
}
