const PATIENCE_MS = 60_000;

/** Starts a session and resolves when its workspace is ready. */
export async function createSession(fleet, projectId, title) {
  const session = await fleet.api.call("POST", "/api/sessions", { projectId, title, wait: true });
  if (session.workspace.state !== "ready") throw new Error(`${session.id} is not ready: ${session.evidence}`);
  return session;
}

/** Waits until the agent confirmed a message. */
export async function awaitDelivery(fleet, sessionId, messageId) {
  const path = `/api/sessions/${sessionId}/messages/${messageId}?wait=${PATIENCE_MS}`;
  const message = await fleet.api.call("GET", path);
  if (message.delivery !== "delivered") throw new Error(`${sessionId} ${messageId}: ${message.delivery}`);
}

/** Waits until the agent confirmed the first message. */
export async function awaitFirstMessage(fleet, session) {
  await awaitDelivery(fleet, session.id, session.messages[0].id);
}

/** Stops a session and waits until its workspace is gone. */
export async function removeSession(fleet, sessionId) {
  await fleet.api.call("DELETE", `/api/sessions/${sessionId}`, { wait: true });
}

/** Starts many sessions in parallel; resolves when each agent has confirmed its first message. */
export async function createIdleSessions(fleet, projectId, count) {
  const titles = Array.from({ length: count }, (_, index) => `Idle session ${index + 1}`);
  const sessions = await Promise.all(titles.map((title) => createSession(fleet, projectId, title)));
  await Promise.all(sessions.map((session) => awaitFirstMessage(fleet, session)));
  return sessions;
}
