import type { SessionView } from "../../../src/protocol/views/session.ts";
import { call } from "./call.ts";
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
  const before = queryClient.getQueryData(inboxQuery().queryKey);
  queryClient.setQueryData(
    inboxQuery().queryKey,
    (list) => list && { data: list.data.filter((entry) => entry.id !== id) },
  );
  queryClient.setQueryData(
    sessionsQuery().queryKey,
    (list) =>
      list && {
        ...list,
        data: list.data.map((one) => (one.attention?.id === id ? { ...one, attention: null } : one)),
      },
  );
  try {
    await write();
  } catch (error) {
    queryClient.setQueryData(inboxQuery().queryKey, before);
    void queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    throw error;
  }
}

/** Re-runs the failed checks of a session's pull request. */
export function rerunChecks({ id, pullRequests }: SessionView): Promise<void> {
  const open = pullRequests.find(({ phase }) => phase === "open");
  if (open === undefined) return Promise.resolve();
  const params = { ...pullRequestRef(open.key) };
  const write = () => call("POST /api/pull-requests/:project/:number/rerun", { params, input: {} });
  return writeForRow({ sessionId: id, note: "Re-running …", write });
}
