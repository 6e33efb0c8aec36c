/** The pages of the top bar. */
export const PAGES = [
  { href: "/", label: "Fleet" },
  { href: "/inbox", label: "Inbox" },
  { href: "/projects", label: "Projects" },
  { href: "/cost", label: "Cost" },
  { href: "/capacity", label: "Capacity" },
  { href: "/settings/appearance", label: "Settings" },
] as const;

const PROJECT_SETTINGS = /^\/p\/[^/]+\/settings(?:\/|$)/;

/**
 * Does a URL belong to a page of the bar? Sessions belong to Fleet, pull requests to Projects, a project's settings to
 * Settings.
 */
export function isOnPage(path: string, href: string): boolean {
  if (PROJECT_SETTINGS.test(path)) return href.startsWith("/settings/");
  if (href === "/") return path === "/" || path.startsWith("/s/");
  if (href === "/projects") return path === "/projects" || path.startsWith("/p/");
  const [, first = ""] = href.split("/");
  return path === `/${first}` || path.startsWith(`/${first}/`);
}
