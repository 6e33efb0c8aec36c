import { notifyManager, type QueryClient, type QueryKey } from "@tanstack/react-query";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import { advanceActivity } from "./advance-activity.ts";
import { ACTIVITY_KEY, type ActivityById } from "./fleet-queries.ts";
import { patchList, patchSession, patchSignal, type SessionList } from "./patch.ts";
import { inboxQuery, projectsQuery, sessionsQuery } from "./queries.ts";

/**
 * Changes what the page knows to what the stream says. Lists are patched; what belongs to one session or pull request is fetched
 * again if it is on screen: its key begins with `session` or `pull-request` and its name.
 */
export function applyMessages(queries: QueryClient, messages: readonly LiveMessage[]): void {
  const stale = new Map<string, QueryKey>();
  notifyManager.batch(() => {
    for (const message of messages) {
      for (const key of applyMessage(queries, message)) stale.set(key.join(" "), key);
    }
  });
  for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey });
}

/** What has to be fetched again after a message. */
function applyMessage(queries: QueryClient, message: LiveMessage): readonly QueryKey[] {
  const patchSessions = (change: (list: SessionList) => SessionList): void => {
    queries.setQueryData(sessionsQuery().queryKey, (list) => list && change(list));
  };
  switch (message.event) {
    case "session": {
      const { data } = message;
      patchSessions((list) => patchSession(list, data));
      queries.setQueriesData<ActivityById>({ queryKey: ACTIVITY_KEY }, (all) =>
        all === undefined ? all : new Map(all).set(data.id, advanceActivity(all.get(data.id), data, data.updatedAt)),
      );
      return [["session", data.id], ["capacity"]];
    }
    case "signal":
      patchSessions((list) => patchSignal(list, message.data));
      return [];
    case "fleet":
      patchSessions((list) => ({ ...list, fleet: message.data }));
      return [["costs"]];
    case "inbox":
      queries.setQueryData(inboxQuery().queryKey, message.data);
      return [["inbox-put-off"]];
    case "project":
      queries.setQueryData(
        projectsQuery().queryKey,
        (list) => list && { data: patchList(list.data, message.data, ({ id }) => id) },
      );
      return [["project", message.data.id]];
    case "pull-request":
      return [["pull-request", message.data.key], ["pull-requests"]];
    case "reset":
      return [[]];
    case "start":
      return [];
  }
}
