import type { Hono } from "hono";
import type { Principal } from "../auth/tokens.ts";
import type { Peer, Seen } from "./seen-as.ts";

/** What every request carries: its origin and its caller. */
export interface AppEnv {
  Bindings: { transport: "socket" | "tcp"; peer: Peer };
  /** Absent until the caller is known. */
  Variables: { principal: Principal; seen: Seen };
}

export type App = Hono<AppEnv>;
