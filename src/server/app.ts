import type { Hono } from "hono";
import type { Principal } from "../auth/tokens.ts";

/** What every request carries: where it came from, and who is calling. */
export interface AppEnv {
  Bindings: { transport: "socket" | "tcp" };
  /** Absent until the caller is known. */
  Variables: { principal: Principal };
}

export type App = Hono<AppEnv>;
