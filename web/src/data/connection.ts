import { useSyncExternalStore } from "react";

/** The state of the connection to the daemon. */
export interface Connection {
  readonly state: "connecting" | "live" | "lost" | "signed-out";
  /** When the last message arrived; ms. */
  readonly heardAt: number | null;
  /** While lost: when the next attempt is due; ms. */
  readonly retryAt: number | null;
}

const listeners = new Set<() => void>();
let connection: Connection = { state: "connecting", heardAt: null, retryAt: null };

export function readConnection(): Connection {
  return connection;
}

/** Throws while the daemon is gone, so that a write fails at once. */
export function requireConnection(): void {
  if (connection.state === "lost") throw new Error("Lost connection to ao.");
}

export function setConnection(changes: Partial<Connection>): void {
  const before = connection;
  connection = { ...connection, ...changes };
  // The time of the last message matters only once the connection is lost; until then it would change with every
  // message.
  if (connection.state === before.state && connection.retryAt === before.retryAt) return;
  for (const listener of listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnection, readConnection);
}

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
