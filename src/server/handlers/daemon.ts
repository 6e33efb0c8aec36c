import type { LoginLinks } from "../../auth/login-links.ts";
import type { Tokens } from "../../auth/tokens.ts";
import { AoError } from "../../core/errors.ts";
import type { DAEMON_CALLS } from "../../protocol/calls/daemon.ts";
import type { Actions } from "../actions.ts";
import { findSession } from "../find-session.ts";
import type { Handlers } from "../handler.ts";
import type { PassedThrough } from "../passed-through.ts";
import { toTime } from "../time.ts";

/** The daemon itself, and who may call it. */
export function createDaemonHandlers(
  actions: Actions,
  { tokens, links }: { readonly tokens: Tokens; readonly links: LoginLinks },
): Handlers<Exclude<keyof typeof DAEMON_CALLS, PassedThrough>> {
  return {
    "GET /healthz": ({ setStatus }) => {
      const health = actions.health();
      if (!health.ok) setStatus(503);
      return health;
    },
    "POST /api/link": ({ body: { session } }) => {
      const { world } = actions.engine;
      const path = session === undefined ? "/" : `/s/${encodeURIComponent(findSession(world, session).id)}`;
      const base = dashboardAddress(actions.health().url);
      const { secret, expiresAt } = links.create(path);
      return { url: `${base}/?link=${secret}`, expiresAt: toTime(expiresAt) };
    },
    "GET /api/tokens": () => ({ data: tokens.list() }),
    "POST /api/tokens": ({ body: { name } }) => ({ name, token: tokens.create(name) }),
    "DELETE /api/tokens/:name": ({ params }) => tokens.revoke(params.name),
    "POST /api/shutdown": ({ body: { sessions = false } }) => {
      actions.shutdown({ sessions });
      return { stopping: true };
    },
  };
}

function dashboardAddress(url: string | null): string {
  if (url === null) {
    throw new AoError({
      code: "conflict",
      message: "The daemon listens only on its socket.",
      hint: "Start it with a port: `ao stop`, then `ao start --port 0`.",
    });
  }
  // A browser cannot open the address that stands for every interface.
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, "//localhost");
}
