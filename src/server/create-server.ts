import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie } from "hono/cookie";
import type { LoginLinks } from "../auth/login-links.ts";
import type { Tokens } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import type { Log } from "../ports/host.ts";
import { toProblem } from "../protocol/problem.ts";
import { type AccessRules, admit } from "./access.ts";
import type { Actions } from "./actions.ts";
import type { App, AppEnv } from "./app.ts";
import { isPagePath, type PageFiles } from "./page-files.ts";
import { addCostRoutes } from "./routes/costs.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addFleetRoutes } from "./routes/fleet.ts";
import { addPageRoutes, cookieName, pageProblem } from "./routes/pages.ts";
import { addProjectRoutes } from "./routes/projects.ts";
import { addPullRequestRoutes } from "./routes/pull-requests.ts";
import { addMessageRoutes } from "./routes/session-messages.ts";
import { addSessionPullRequestRoutes } from "./routes/session-pull-request.ts";
import { addWorkRoutes } from "./routes/session-work.ts";
import { addSessionRoutes } from "./routes/sessions.ts";
import { addTranscriptRoutes } from "./routes/transcript.ts";
import { createTranscripts } from "./transcript/transcripts.ts";

/** A message of 1 MiB may be several times that as JSON. */
const MAX_BODY = 8 * 1024 * 1024;

export interface ServerOptions {
  readonly actions: Actions;
  readonly tokens: Tokens;
  readonly links: LoginLinks;
  readonly page: PageFiles;
  readonly allowedHosts: () => readonly string[];
  readonly log: Log;
}

/** The HTTP server as a function of requests; `transport` tells where one came from. */
export function createServer(
  options: ServerOptions,
): (request: Request, transport: "socket" | "tcp") => Response | Promise<Response> {
  const { actions } = options;
  const app: App = new Hono<AppEnv>();
  tellProblems(app, options);
  app.use(async (c, next) => {
    const rules: AccessRules = {
      allowedHosts: options.allowedHosts(),
      principalOf: options.tokens.principalOf,
      isBrowser: options.links.isKnown,
    };
    const host = c.req.header("host");
    const principal = admit(
      {
        transport: c.env.transport,
        method: c.req.method,
        path: c.req.path,
        host,
        origin: c.req.header("origin"),
        authorization: c.req.header("authorization"),
        cookie: getCookie(c, cookieName(host)),
        hasLink: c.req.query("link") !== undefined,
      },
      rules,
    );
    c.set("principal", principal);
    await next();
    c.header("x-content-type-options", "nosniff");
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BODY,
      onError: () => {
        throw new AoError({ code: "too-large", message: "The body is larger than 8 MiB.", hint: "Send less at once." });
      },
    }),
  );
  app.get("/healthz", (c) => {
    const health = actions.health();
    return c.json(health, health.ok ? 200 : 503);
  });
  addPageRoutes(app, actions, { links: options.links, files: options.page });
  addMessageRoutes(app, actions);
  addWorkRoutes(app, actions);
  addSessionRoutes(app, actions);
  addTranscriptRoutes(app, actions, createTranscripts(actions));
  addSessionPullRequestRoutes(app, actions);
  addPullRequestRoutes(app, actions);
  addProjectRoutes(app, actions);
  addFleetRoutes(app, actions, options.tokens);
  addCostRoutes(app, actions);
  addEventRoutes(app, actions);
  return (request, transport) => app.fetch(request, { transport });
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
