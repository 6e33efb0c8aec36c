import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { LoginLinks } from "../auth/login-links.ts";
import type { Tokens } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import type { Log } from "../ports/host.ts";
import { TEXTS } from "../protocol/calls/texts.ts";
import { toProblem } from "../protocol/problem.ts";
import type { Actions } from "./actions.ts";
import type { App, AppEnv, Transport } from "./app.ts";
import { type Audit, createAuditor } from "./audit.ts";
import { readGauges } from "./gauges.ts";
import { createGuard } from "./guard.ts";
import type { Handlers } from "./handler.ts";
import { createDaemonHandlers } from "./handlers/daemon.ts";
import { createFleetHandlers } from "./handlers/fleet.ts";
import { createProjectHandlers } from "./handlers/projects.ts";
import { createPullRequestHandlers } from "./handlers/pull-requests.ts";
import { createRulesHandlers } from "./handlers/rules.ts";
import { createMessageHandlers } from "./handlers/session-messages.ts";
import { createSessionPullRequestHandlers } from "./handlers/session-pull-request.ts";
import { createWorkHandlers } from "./handlers/session-work.ts";
import { createSessionHandlers } from "./handlers/sessions.ts";
import { createLiveHub } from "./live/live-hub.ts";
import { addLiveRoute } from "./live/live-route.ts";
import { createLoopDelay } from "./loop-delay.ts";
import { createMetrics } from "./metrics.ts";
import { isPagePath, type PageFiles } from "./page-files.ts";
import type { PassedThrough } from "./passed-through.ts";
import { registerCalls } from "./register.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addPageRoutes, pageProblem } from "./routes/pages.ts";
import { addressMatcher, NO_PEER, type Peer } from "./seen-as.ts";
import { createTerminalSockets, type TerminalSockets } from "./terminal/terminal-sockets.ts";
import type { TerminalSources } from "./terminal/terminal-sources.ts";

/** A message of 1 MiB may be several times that as JSON. */
const MAX_BODY = 8 * 1024 * 1024;

export interface ServerOptions {
  readonly actions: Actions;
  /** Handlers of calls that need nothing from the server. */
  readonly passedThrough: Handlers<PassedThrough>;
  readonly tokens: Tokens;
  readonly links: LoginLinks;
  readonly page: PageFiles;
  readonly allowedHosts: () => readonly string[];
  /** Host names under which forges may deliver webhooks, and nothing else; default: none. */
  readonly webhookHosts?: readonly string[];
  /** Addresses and ranges of proxies whose forwarding headers are trusted; default: none. */
  readonly trustedProxies?: readonly string[];
  /** The dashboard's URL for other devices; null: only this machine can reach it. */
  readonly networkUrl?: () => string | null;
  readonly audit: Audit;
  readonly log: Log;
}

/** The HTTP server as a function of requests; `transport` says where one came from. */
export function createServer(
  options: ServerOptions,
): (request: Request, transport: Transport, peer?: Peer) => Response | Promise<Response> {
  const { actions } = options;
  const app: App = new Hono<AppEnv>();
  tellProblems(app, options);
  app.use(createAuditor(options.audit));
  app.use(createGuard(options));
  app.use(limitBody());
  addPageRoutes(app, { links: options.links, files: options.page });
  const readLoopDelay = createLoopDelay();
  const metrics = createMetrics(() => [...readGauges(actions.engine), readLoopDelay()]);
  registerCalls(app, createHandlers(options), { world: actions.engine.world, metrics });
  app.get("/metrics", (c) => c.body(metrics.render(), 200, { "content-type": TEXTS["GET /metrics"].media }));
  addEventRoutes(app, actions);
  addLiveRoute(app, createLiveHub({ ...actions, log: options.log }));
  return (request, transport, peer = NO_PEER) => app.fetch(request, { transport, peer });
}

function limitBody(): MiddlewareHandler<AppEnv> {
  const limit = bodyLimit({
    maxSize: MAX_BODY,
    onError: () => {
      throw new AoError({ code: "too-large", message: "The body is larger than 8 MiB.", hint: "Send a smaller body." });
    },
  });
  // A GET has no body, and looking for one would recreate the whole request.
  return (c, next) => (c.req.method === "GET" ? next() : limit(c, next));
}

function createHandlers(options: ServerOptions): Handlers {
  const { actions } = options;
  return {
    ...createSessionHandlers(actions),
    ...createMessageHandlers(actions),
    ...createWorkHandlers(actions),
    ...createSessionPullRequestHandlers(actions),
    ...createPullRequestHandlers(actions),
    ...createProjectHandlers(actions),
    ...createFleetHandlers(actions),
    ...createRulesHandlers(actions),
    ...createDaemonHandlers(actions, options),
    ...options.passedThrough,
  };
}

/** The server's WebSockets, behind the same rules as its calls. */
export function createSockets(
  options: Pick<ServerOptions, "actions" | "tokens" | "links" | "allowedHosts" | "trustedProxies" | "audit" | "log">,
  sources: TerminalSources,
): TerminalSockets {
  return createTerminalSockets({
    engine: options.actions.engine,
    sources,
    rules: () => ({
      allowedHosts: options.allowedHosts(),
      principalOf: options.tokens.principalOf,
      isBrowser: options.links.isKnown,
    }),
    isTrustedProxy: addressMatcher(options.trustedProxies ?? []),
    audit: options.audit,
    log: options.log,
  });
}

// Problem JSON for programs, the page for people.
function tellProblems(app: App, { log, page }: ServerOptions): void {
  app.onError((error, c) => {
    const problem = toProblem(error);
    if (problem.status === 500)
      log.error("a request failed", { path: c.req.path, reason: String(error), stack: error.stack });
    if (isPagePath(c.req.path)) return pageProblem(c, problem, page);
    return c.json(problem, problem.status as 500, { "content-type": "application/problem+json" });
  });
  app.notFound((c) => {
    const error = new AoError({
      code: "not-found",
      message: `There is no ${c.req.method} ${c.req.path}.`,
      hint: "Paths begin with /api; check method and spelling.",
    });
    return c.json(toProblem(error), 404, { "content-type": "application/problem+json" });
  });
}
