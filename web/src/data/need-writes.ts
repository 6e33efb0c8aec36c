import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import type { SessionView } from "../../../src/protocol/views/session.ts";
import { call } from "./call.ts";
import { requireConnection } from "./connection.ts";
import { pullRequestRef } from "./pull-request-queries.ts";
import { inboxQuery, sessionsQuery } from "./queries.ts";
import { queryClient } from "./query-client.ts";
import { writeForRow } from "./session-writes.ts";

/** Dismisses a session's need. The row disappears at once, and returns with the reason if the daemon rejects it. */
export function dismissNeed(session: SessionView): Promise<void> {
  const { id, attention } = session;
  if (attention === null) return Promise.resolve();
  return writeForRow({ sessionId: id, note: "Dismissing …", write: () => dismissEntry(attention.id) });
}

/** The same for an inbox entry. */
export function dismissEntry(id: string): Promise<void> {
  return putOff(id, () => call("POST /api/inbox/ack", { input: { id } }));
}

/** Passes on to the agent the message that a session's need holds back. */
export function passNeed({ id, attention }: SessionView): Promise<void> {
  if (attention === null) return Promise.resolve();
  return writeForRow({ sessionId: id, note: "Sending to the agent …", write: () => passEntry(attention.id) });
}

/** The same for an inbox entry. */
export function passEntry(id: string): Promise<void> {
  return putOff(id, () => call("POST /api/inbox/pass", { input: { id } }));
}

/** Hides an entry for a while; it returns earlier if the problem changes. */
export function snoozeEntry(id: string, hours: number): Promise<void> {
  const until = new Date(Date.now() + hours * 3_600_000).toISOString();
  return putOff(id, () => call("POST /api/inbox/snooze", { input: { id, until } }));
}

/** Removes an entry from the lists at once, and puts it back if the daemon rejects it. */
async function putOff(id: string, write: () => Promise<unknown>): Promise<void> {
  requireConnection();
  const putBack = removeEntry(id);
  try {
    await write();
  } catch (error) {
    putBack();
    // The entry may be resolved by now.
    for (const { queryKey } of [inboxQuery(), sessionsQuery()]) void queryClient.invalidateQueries({ queryKey });
    throw error;
  }
}

/** Removes an entry from the lists; returns how to put it back into the lists of that moment. */
function removeEntry(id: string): () => void {
  const inbox = queryClient.getQueryData(inboxQuery().queryKey)?.data ?? [];
  const index = inbox.findIndex((entry) => entry.id === id);
  const entry = inbox[index];
  const isSame = (one: { readonly id: string } | null): boolean => one?.id === id;
  const holder = queryClient.getQueryData(sessionsQuery().queryKey)?.data.find(({ attention }) => isSame(attention));
  changeInbox((list) => list.filter((one) => !isSame(one)));
  changeSessions((one) => (isSame(one.attention) ? { ...one, attention: null } : one));
  return () => {
    if (entry !== undefined) changeInbox((list) => (list.some(isSame) ? list : list.toSpliced(index, 0, entry)));
    if (holder !== undefined)
      changeSessions((one) =>
        one.id === holder.id && one.attention === null ? { ...one, attention: holder.attention } : one,
      );
  };
}

function changeInbox(change: (list: readonly InboxView[]) => readonly InboxView[]): void {
  queryClient.setQueryData(inboxQuery().queryKey, (list) => list && { data: change(list.data) });
}

function changeSessions(change: (session: SessionView) => SessionView): void {
  queryClient.setQueryData(sessionsQuery().queryKey, (list) => list && { ...list, data: list.data.map(change) });
}

/** Re-runs the failed checks of a session's pull request. */
export function rerunChecks({ id, pullRequests }: SessionView): Promise<void> {
  const open = pullRequests.find(({ phase }) => phase === "open");
  if (open === undefined) return Promise.resolve();
  const params = { ...pullRequestRef(open.key) };
  const write = () => call("POST /api/pull-requests/:project/:number/rerun", { params, input: {} });
  return writeForRow({ sessionId: id, note: "Re-running …", write });
}
