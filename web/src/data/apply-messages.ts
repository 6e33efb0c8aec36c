import { notifyManager, type QueryClient, type QueryKey } from "@tanstack/react-query";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import { advanceActivity } from "./advance-activity.ts";
import { keepForFetches } from "./fetch-patched.ts";
import { ACTIVITY_KEY, type ActivityById } from "./fleet-queries.ts";
import { patchInbox, patchProjects, patchSessions, type SessionList } from "./patch.ts";
import { inboxQuery, projectsQuery, sessionsQuery } from "./queries.ts";

type Session = Extract<LiveMessage, { readonly event: "session" }>["data"];

/**
 * Applies the stream's messages up to a log position to the cached data, changing each list once. Returns the keys to
 * refetch: everything about one session or pull request has a key that starts with `session` or `pull-request` and its
 * name.
 */
export function applyMessages(
  queries: QueryClient,
  messages: readonly LiveMessage[],
  position: number,
): readonly QueryKey[] {
  keepForFetches(messages);
  notifyManager.batch(() => {
    queries.setQueryData(
      sessionsQuery().queryKey,
      (list) => list && moveTo(messages.reduce(patchSessions, list), position),
    );
    const sessions = messages.flatMap((message) => (message.event === "session" ? [message.data] : []));
    if (sessions.length > 0)
      queries.setQueriesData<ActivityById>({ queryKey: ACTIVITY_KEY }, (all) => advanceAll(all, sessions));
    for (const message of messages) applyToOthers(queries, message);
  });
  const stale = new Map(messages.flatMap(staleAfter).map((key) => [key.join(" "), key]));
  return [...stale.values()];
}

/** Most events do not change the fleet's view, so its position comes from the stream itself. */
function moveTo(list: SessionList, position: number): SessionList {
  return position <= list.fleet.position ? list : { ...list, fleet: { ...list.fleet, position } };
}

function advanceAll(all: ActivityById | undefined, sessions: readonly Session[]): ActivityById | undefined {
  if (all === undefined) return all;
  const advanced = new Map(all);
  for (const session of sessions) {
    advanced.set(session.id, advanceActivity(advanced.get(session.id), session, session.updatedAt));
  }
  return advanced;
}

function applyToOthers(queries: QueryClient, message: LiveMessage): void {
  if (message.event === "inbox")
    queries.setQueryData(inboxQuery().queryKey, (list) => list && patchInbox(list, message));
  if (message.event === "project")
    queries.setQueryData(projectsQuery().queryKey, (list) => list && patchProjects(list, message));
}

function staleAfter(message: LiveMessage): readonly QueryKey[] {
  switch (message.event) {
    case "session":
      return [["session", message.data.id], ["capacity"]];
    case "fleet":
      return [["costs"]];
    case "inbox":
      return [["inbox-put-off"]];
    case "project":
      return [
        ["project", message.data.id],
        ["pull-requests", message.data.id, "train"],
      ];
    case "pull-request":
      return [["pull-request", message.data.key], ["pull-requests"]];
    case "reset":
      return [[]];
    case "signal":
    case "start":
      return [];
  }
}
