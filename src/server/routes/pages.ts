import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { LOGIN_MS, type LoginLinks } from "../../auth/login-links.ts";
import { AoError } from "../../core/errors.ts";
import type { ProblemView } from "../../protocol/views/daemon.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { readBody } from "../bodies.ts";
import { toEventView } from "../event-text.ts";
import { pullRequestsOf } from "../find-pull-request.ts";
import { findSession } from "../find-session.ts";
import { listInbox } from "../inbox.ts";
import { type Html, renderNotice } from "../page/layout.ts";
import { renderSessionPage } from "../page/session-page.ts";
import { renderSessionsPage, type SessionsPage } from "../page/sessions-page.ts";
import { STYLE } from "../page/style.ts";
import { NewLink } from "../pull-request-bodies.ts";
import { toPullRequestDetail } from "../pull-request-views.ts";
import { showInbox } from "../question-view.ts";
import { toTime } from "../time.ts";
import { createTimelineReader, streamsOf, type TimelineReader } from "../timeline.ts";
import { toSessionDetail, toSessionView } from "../views.ts";

const CARD_EVENTS = 6;
const PAGE_EVENTS = 300;
const STOPPED = 20;
// No script, no frame, nothing from elsewhere.
const POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Pages for a browser, and the link that lets one in. */
export function addPageRoutes(app: App, actions: Actions, links: LoginLinks): void {
  const world = actions.engine.world;
  const timelines = createTimelineReader(actions.store);

  app.post("/api/link", async (c) => {
    const { session } = await readBody(c.req, NewLink);
    const path = session === undefined ? "/" : `/sessions/${encodeURIComponent(findSession(world, session).id)}`;
    const base = pageAddress(actions.health().url);
    const { secret, expiresAt } = links.create(path);
    return c.json({ url: `${base}/?link=${secret}`, expiresAt: toTime(expiresAt) }, 201);
  });

  app.get("/style.css", (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }));

  app.get("/", async (c) => {
    const secret = c.req.query("link");
    if (secret !== undefined) return letIn(c, links, secret);
    return page(c, renderSessionsPage(await gatherSessions(actions, timelines)));
  });

  app.get("/sessions/:id", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    await actions.engine.refresh(id);
    const changes = pullRequestsOf(world, id);
    const { textOf } = actions.pullRequests;
    const pullRequests = await Promise.all(changes.map((change) => toPullRequestDetail(change, world, textOf)));
    const events = (await timelines.last(streamsOf(world, id), PAGE_EVENTS)).map(toEventView);
    const session = await toSessionDetail(findSession(world, id), world, textOf);
    return page(c, renderSessionPage({ session, pullRequests, events, now: Date.now() }));
  });
}

/** Is this address for people with a browser? */
export function isPagePath(path: string): boolean {
  return path === "/" || path.startsWith("/sessions/");
}

/** A problem as a page. */
export function problemPage(c: Context, problem: ProblemView): Response | Promise<Response> {
  if (problem.status !== 401) return page(c, renderNotice(problem.title, problem.detail, problem.hint), problem.status);
  const hint = "Run `ao open --print` in a terminal of this machine and open the link that it prints.";
  return page(
    c,
    renderNotice("This browser is not let in yet", "The page shows your agents' work, so it asks who you are.", hint),
    401,
  );
}

/** The name of the cookie; ports share cookies, so each daemon has its own. */
export function cookieName(host: string | undefined): string {
  return `ao_${/:(\d+)$/.exec(host ?? "")?.[1] ?? "80"}`;
}

function letIn(c: Context, links: LoginLinks, secret: string): Response | Promise<Response> {
  const name = cookieName(c.req.header("host"));
  const known = getCookie(c, name);
  const entry = links.redeem(secret);
  if (entry !== null) {
    // Without an age the browser would forget it when it is closed.
    const maxAge = LOGIN_MS / 1000;
    setCookie(c, name, entry.cookie, { httpOnly: true, sameSite: "Strict", path: "/", maxAge });
  }
  // Who is in already may open an old link again.
  if (entry !== null || (known !== undefined && links.isKnown(known))) return c.redirect(entry?.path ?? "/", 303);
  const hint = "Run `ao open --print` for a new one.";
  return page(c, renderNotice("This link has been used or is too old", "A link works once, for 5 minutes.", hint), 401);
}

async function gatherSessions(actions: Actions, timelines: TimelineReader): Promise<SessionsPage> {
  const world = actions.engine.world;
  const all = [...world.sessions()].sort((a, b) => a.createdAt - b.createdAt);
  const show = (session: (typeof all)[number]) => toSessionView(session, world);
  const open = all.filter((session) => session.phase !== "stopped");
  const stopped = [
    ...all.filter((session) => session.phase === "stopped").sort((a, b) => b.updatedAt - a.updatedAt),
    ...world.archive.latestSessions(STOPPED),
  ];
  return {
    open: await Promise.all(
      open.map(async (session) => ({
        session: show(session),
        events: (await timelines.last(streamsOf(world, session.id), CARD_EVENTS)).map(toEventView),
      })),
    ),
    stopped: stopped.slice(0, STOPPED).map(show),
    inbox: await showInbox(listInbox(world, actions.projectProblem), actions.pullRequests.textOf),
    paused: world.fleet().paused,
    now: Date.now(),
  };
}

async function page(c: Context, content: Html, status = 200): Promise<Response> {
  return c.html(await content, status as 200, {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  });
}

function pageAddress(url: string | null): string {
  if (url === null) {
    const message = "The daemon listens on its socket alone.";
    throw new AoError({
      code: "conflict",
      message,
      hint: "Start it with a port: `ao stop`, then `ao start --port 0`.",
    });
  }
  // An address for every interface is none that a browser can open.
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, "//localhost");
}
