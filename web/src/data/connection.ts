import { useSyncExternalStore } from "react";

/** How the page is connected to the daemon. */
export interface Connection {
  readonly state: "connecting" | "live" | "lost" | "signed-out";
  /** When the daemon was heard last; ms. */
  readonly heardAt: number | null;
  /** While lost: when it is tried again; ms. */
  readonly retryAt: number | null;
}

const listeners = new Set<() => void>();
let connection: Connection = { state: "connecting", heardAt: null, retryAt: null };

export function readConnection(): Connection {
  return connection;
}

export function setConnection(changes: Partial<Connection>): void {
  const before = connection;
  connection = { ...connection, ...changes };
  // When it was heard last matters once it is lost; until then that would be news with every message.
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
