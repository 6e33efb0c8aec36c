import { join } from "node:path";
import { createLoginLinks } from "../auth/login-links.ts";
import { createTokens } from "../auth/tokens.ts";
import type { DashboardConfig, MachineConfig } from "../config/config.ts";
import type { HomePaths } from "../protocol/home.ts";
import type { HealthView } from "../protocol/views/daemon.ts";
import { createServer, createSockets } from "../server/create-server.ts";
import { createTerminalSources } from "./actions/terminal.ts";
import { createAuditFile } from "./audit-file.ts";
import { createActions } from "./create-actions.ts";
import { createHandlers } from "./create-handlers.ts";
import { tokenFile } from "./home-folder.ts";
import type { Kernel } from "./kernel.ts";
import type { Handler } from "./listen.ts";
import { loginFile } from "./login-file.ts";
import { findNetworkUrl, ownNames } from "./network.ts";
import { readPageFiles } from "./read-page-files.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface RequestHandlerOptions {
  readonly paths: HomePaths;
  /** The main token of the API. */
  readonly secret: string;
  readonly machine: MachineConfig | null;
  readonly dashboard: DashboardConfig;
  /** The host name or address that the daemon listens on. */
  readonly host: string;
  /** The dashboard's address; null until the daemon listens. */
  readonly url: () => string | null;
  readonly health: () => HealthView;
  readonly shutdown: (options: { readonly sessions: boolean }) => void;
}

export interface RequestHandler extends Handler {
  /** Closes the terminals that are open in browsers. */
  close(): void;
}

/** Everything that a request can reach: the API, the dashboard, webhooks and terminals. */
export function createRequestHandler(kernel: Kernel, options: RequestHandlerOptions): RequestHandler {
  const { paths, machine, dashboard, url } = options;
  const { log, clock } = kernel.host;
  const { trustedProxies } = dashboard;
  const publicUrl = machine?.webhooks.url ?? null;
  const shared = {
    actions: createActions(kernel, { health: options.health, shutdown: options.shutdown }),
    tokens: createTokens({ main: options.secret, ...tokenFile(paths) }),
    links: createLoginLinks({ now: clock.now, ...loginFile(paths) }),
    // Read with each request: the addresses of a machine change.
    allowedHosts: () => [...LOOPBACK, ...ownNames(options.host), ...dashboard.allowedHosts],
    audit: createAuditFile(paths, clock),
    trustedProxies,
    log,
  };
  const terminals = createSockets(shared, createTerminalSources(kernel));
  return {
    fetch: createServer({
      ...shared,
      passedThrough: createHandlers(kernel, createWebhooks(kernel, { publicUrl, ownUrl: url })),
      page: readPageFiles(join(import.meta.dirname, "../web")),
      webhookHosts: publicUrl === null ? [] : [new URL(publicUrl).hostname],
      networkUrl: () => findNetworkUrl(url(), dashboard),
    }),
    upgrade: terminals.upgrade,
    close: () => terminals.close(),
  };
}
