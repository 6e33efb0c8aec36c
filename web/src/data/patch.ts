import type { FleetView } from "../../../src/protocol/views/fleet.ts";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import type { ProjectView } from "../../../src/protocol/views/project.ts";
import type { SessionView } from "../../../src/protocol/views/session.ts";

/** The answer of `GET /api/sessions`. */
export interface SessionList {
  readonly data: readonly SessionView[];
  readonly fleet: FleetView;
}

type InboxList = Extract<LiveMessage, { readonly event: "inbox" }>["data"];
interface ProjectList {
  readonly data: readonly ProjectView[];
}
type Signal = Extract<LiveMessage, { readonly event: "signal" }>["data"];

/** A view from the stream: `removed` once it has left the lists. */
type Streamed<View> = View & { readonly removed?: true };

/** A list with one view replaced, added, or removed. */
function patchList<View>(list: readonly View[], view: Streamed<View>, keyOf: (view: View) => string): readonly View[] {
  const key = keyOf(view);
  const index = list.findIndex((one) => keyOf(one) === key);
  if (view.removed === true) return index === -1 ? list : list.toSpliced(index, 1);
  return index === -1 ? [...list, view] : list.with(index, view);
}

/** The list of sessions after a message of the stream. */
export function patchSessions(list: SessionList, message: LiveMessage): SessionList {
  switch (message.event) {
    case "session":
      return patchSession(list, message.data);
    case "signal":
      return patchSignal(list, message.data);
    case "fleet":
      return { ...list, fleet: message.data };
    default:
      return list;
  }
}

/** The inbox after a message of the stream, which contains all of it. */
export function patchInbox(list: InboxList, message: LiveMessage): InboxList {
  return message.event === "inbox" ? message.data : list;
}

/** The list of projects after a message of the stream. */
export function patchProjects(list: ProjectList, message: LiveMessage): ProjectList {
  if (message.event !== "project") return list;
  return { data: patchList(list.data, message.data, ({ id }) => id) };
}

function patchSession(list: SessionList, view: Streamed<SessionView>): SessionList {
  return { ...list, data: patchList(list.data, view, ({ id }) => id) };
}

/** A signal between two events: only its row changes. */
function patchSignal(list: SessionList, signal: Signal): SessionList {
  const index = list.data.findIndex(({ id }) => id === signal.sessionId);
  const session = list.data[index];
  if (session === undefined) return list;
  const { activity, evidence, lastSignalAt } = signal;
  return { ...list, data: list.data.with(index, { ...session, activity, evidence, lastSignalAt }) };
}
