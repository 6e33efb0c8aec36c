import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { LOGIN_MS, type LoginLinks } from "../../auth/login-links.ts";
import type { ProblemView } from "../../protocol/views/daemon.ts";
import type { App, AppEnv } from "../app.ts";
import { cookieName } from "../cookie-name.ts";
import { isPagePath, type PageFile, type PageFiles } from "../page-files.ts";

// Scripts, fonts and connections only from this origin. Inline styles are allowed, because the terminal writes its own;
// nothing may frame the page.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export interface PageOptions {
  readonly links: LoginLinks;
  readonly files: PageFiles;
}

/** The dashboard's files, and the link that signs a browser in. */
export function addPageRoutes(app: App, { links, files }: PageOptions): void {
  app.get("/sessions/:id", (c) => c.redirect(`/s/${encodeURIComponent(c.req.param("id"))}`, 301));

  app.get("*", async (c, next) => {
    if (!isPagePath(c.req.path)) return await next();
    const secret = c.req.path === "/" ? c.req.query("link") : undefined;
    if (secret !== undefined) return signIn(c, links, secret) ?? serveShell(c, files, 401);
    const file = files.read(c.req.path);
    return file === null ? serveShell(c, files, 200) : serve(c, file, 200);
  });
}

/** A problem at a page path: the page itself handles a missing sign-in, anything else is plain text. */
export function pageProblem(c: Context, problem: ProblemView, files: PageFiles): Response {
  if (problem.status === 401) return serveShell(c, files, 401);
  return c.text(`${problem.title}: ${problem.detail}\n${problem.hint ?? ""}\n`, problem.status as 500);
}

// Null: the link is used or expired.
function signIn(c: Context<AppEnv>, links: LoginLinks, secret: string): Response | null {
  const { host, isSecure } = c.get("seen");
  const name = cookieName(host);
  const known = getCookie(c, name);
  const entry = links.redeem(secret, isFromOtherSite(c) ? "other-site" : "owner");
  if (entry !== null) {
    // Without a max age the browser would drop it when it closes.
    const maxAge = LOGIN_MS / 1000;
    setCookie(c, name, entry.cookie, { httpOnly: true, sameSite: "Strict", secure: isSecure, path: "/", maxAge });
  }
  // A signed-in browser may open an old link again.
  if (entry !== null || (known !== undefined && links.isKnown(known))) return c.redirect(entry?.path ?? "/", 303);
  return null;
}

// Browsers report which site started a request; a link that a person typed or clicked outside a page has "none".
function isFromOtherSite(c: Context): boolean {
  return ["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "");
}

function serveShell(c: Context, files: PageFiles, status: 200 | 401): Response {
  const shell = files.shell();
  if (shell !== null) return serve(c, shell, status);
  return c.text("The dashboard is not built. `npm run build` builds it; `ao ui` shows the same in a terminal.\n", 404);
}

function serve(c: Context, file: PageFile, status: 200 | 401): Response {
  const isZipped = file.gzip !== null && /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
  return c.body(isZipped ? file.gzip : file.body, status, {
    "content-type": file.type,
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "content-security-policy": POLICY,
    vary: "accept-encoding",
    ...(isZipped ? { "content-encoding": "gzip" } : {}),
  });
}
