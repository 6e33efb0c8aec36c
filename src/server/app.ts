import type { Hono } from "hono";
import type { Principal } from "../auth/tokens.ts";
import type { Peer, Seen } from "./seen-as.ts";

/**
 * Where a request came from: the user's socket, the network, or the socket in the sandbox of one session, which answers
 * only what that session may call.
 */
export type Transport = "socket" | "tcp" | { readonly session: string };

/** What every request carries: its origin and its caller. */
export interface AppEnv {
  Bindings: { transport: Transport; peer: Peer };
  /** Absent until the caller is known. */
  Variables: { principal: Principal; seen: Seen };
}

export type App = Hono<AppEnv>;
