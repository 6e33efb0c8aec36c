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
  connection = { ...connection, ...changes };
  for (const listener of listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, readConnection);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
