import type { LoginLinks } from "../../auth/login-links.ts";
import type { Principal, Tokens } from "../../auth/tokens.ts";
import { AoError } from "../../core/errors.ts";
import type { World } from "../../core/world.ts";
import type { Api } from "../../protocol/api.ts";
import type { DAEMON_CALLS } from "../../protocol/calls/daemon.ts";
import { SCOPES } from "../../protocol/choices.ts";
import { cutPage } from "../../protocol/cut-page.ts";
import type { HealthView } from "../../protocol/views/daemon.ts";
import type { Actions } from "../actions.ts";
import type { Audit } from "../audit.ts";
import { findSession } from "../find-session.ts";
import type { Handlers } from "../handler.ts";
import type { PassedThrough } from "../passed-through.ts";
import { toTime } from "../time.ts";

const AUDIT_PAGE = 100;

interface DaemonOptions {
  readonly tokens: Tokens;
  readonly links: LoginLinks;
  readonly audit: Audit;
  /** The dashboard's URL for other devices; null: only this machine can reach it. */
  readonly networkUrl?: () => string | null;
}

/** The daemon itself, and who may call it. */
export function createDaemonHandlers(
  actions: Actions,
  { tokens, links, audit, networkUrl = () => null }: DaemonOptions,
): Handlers<Exclude<keyof typeof DAEMON_CALLS, PassedThrough>> {
  return {
    "GET /healthz": ({ setStatus, principal }) => {
      const health = actions.health();
      if (!health.ok) setStatus(503);
      return principal.kind === "session" ? withoutDetails(health) : health;
    },
    "POST /api/link": ({ body: { session, lasting = false, network = false } }) => {
      const { world } = actions.engine;
      const path = session === undefined ? "/" : `/s/${encodeURIComponent(findSession(world, session).id)}`;
      const base = network ? networkAddress(networkUrl()) : dashboardAddress(actions.health().url);
      const { secret, expiresAt } = links.create(path, { lasting });
      return { url: `${base}/?link=${secret}`, expiresAt: toTime(expiresAt) };
    },
    "GET /api/me": ({ principal }) => toMe(principal, actions.engine.world),
    "GET /api/audit": ({ query: { outcome, limit = AUDIT_PAGE, ...cursor } }) => {
      const entries = audit.read().filter((entry) => outcome === undefined || entry.outcome === outcome);
      return cutPage(entries, { ...cursor, limit }, ({ id }) => id);
    },
    "GET /api/tokens": () => ({ data: tokens.list() }),
    "POST /api/tokens": ({ body: { name, scope = "admin" } }) => ({ name, token: tokens.create(name, scope) }),
    "DELETE /api/tokens/:name": ({ params }) => tokens.revoke(params.name),
    "POST /api/shutdown": ({ body: { sessions = false } }) => {
      actions.shutdown({ sessions });
      return { stopping: true };
    },
  };
}

// Troubles and warnings name folders, projects and sessions; whoever reaches the port without a token gets none of them.
function withoutDetails({ warning: _, ...health }: HealthView): HealthView {
  const trouble = health.trouble === null ? null : "`ao doctor` says what is wrong.";
  return { ...health, trouble, socket: "" };
}

function toMe(principal: Principal, world: World): Api["GET /api/me"]["out"] {
  const { kind, name } = principal;
  if (kind === "session") return { kind, name, scopes: [], projectId: world.session(name)?.projectId ?? null };
  const scopes = kind === "owner" ? SCOPES : SCOPES.slice(0, SCOPES.indexOf(principal.scope) + 1);
  return { kind, name, scopes, projectId: null };
}

function networkAddress(url: string | null): string {
  if (url !== null) return url;
  throw new AoError({
    code: "conflict",
    message: "The daemon listens on this machine only.",
    hint: "Listen on the network: `ao stop`, then `ao start --host 0.0.0.0`.",
  });
}

function dashboardAddress(url: string | null): string {
  if (url === null) {
    throw new AoError({
      code: "conflict",
      message: "The daemon listens only on its socket.",
      hint: "Start it with a port: `ao stop`, then `ao start --port 0`.",
    });
  }
  // A browser cannot open the wildcard address.
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, "//localhost");
}
