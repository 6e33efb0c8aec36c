import type { FleetView } from "../../../src/protocol/views/fleet.ts";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import type { SessionView } from "../../../src/protocol/views/session.ts";

/** The answer of `GET /api/sessions`. */
export interface SessionList {
  readonly data: readonly SessionView[];
  readonly fleet: FleetView;
}

type Signal = Extract<LiveMessage, { readonly event: "signal" }>["data"];

/** A view as the stream sends it: `removed` once it has left the lists. */
type Streamed<View> = View & { readonly removed?: true };

/** A list with one of its views replaced, added, or taken out. */
export function patchList<View>(
  list: readonly View[],
  view: Streamed<View>,
  keyOf: (view: View) => string,
): readonly View[] {
  const key = keyOf(view);
  const index = list.findIndex((one) => keyOf(one) === key);
  if (view.removed === true) return index === -1 ? list : list.toSpliced(index, 1);
  return index === -1 ? [...list, view] : list.with(index, view);
}

export function patchSession(list: SessionList, view: Streamed<SessionView>): SessionList {
  return { ...list, data: patchList(list.data, view, ({ id }) => id) };
}

/** What an agent reported between two events: its row says so without anything else having changed. */
export function patchSignal(list: SessionList, signal: Signal): SessionList {
  const index = list.data.findIndex(({ id }) => id === signal.sessionId);
  const session = list.data[index];
  if (session === undefined) return list;
  const { activity, evidence, lastSignalAt } = signal;
  return { ...list, data: list.data.with(index, { ...session, activity, evidence, lastSignalAt }) };
}
