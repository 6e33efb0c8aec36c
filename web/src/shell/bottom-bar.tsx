import "./phone.css";
import { FolderGit2, Inbox, Menu, Rows3 } from "lucide-react";
import { useLocation } from "wouter";
import { usePause } from "../data/use-pause.ts";
import { PageLink } from "../parts/page-link.tsx";
import { isOnPage, PAGES } from "./pages.ts";
import { InboxCount } from "./top-bar.tsx";

const ITEMS = [
  { href: "/", label: "Fleet", Icon: Rows3 },
  { href: "/inbox", label: "Inbox", Icon: Inbox },
  { href: "/projects", label: "Projects", Icon: FolderGit2 },
] as const;

/** On a phone: the pages within reach of a thumb. */
export function BottomBar() {
  const [path] = useLocation();
  const current = (page: string) => (isOnPage(path, page) ? ("page" as const) : undefined);
  return (
    <nav className="bottom-bar" aria-label="Pages">
      {ITEMS.map(({ href: page, label, Icon }) => (
        <PageLink key={page} href={page} aria-current={current(page)}>
          <Icon size={20} aria-hidden="true" />
          {label}
          {page === "/inbox" ? <InboxCount /> : null}
        </PageLink>
      ))}
      <details key={path}>
        <summary>
          <Menu size={20} aria-hidden="true" />
          More
        </summary>
        <div className="bottom-more">
          {PAGES.slice(3).map((page) => (
            <PageLink key={page.href} href={page.href} aria-current={current(page.href)}>
              {page.label}
            </PageLink>
          ))}
          <PauseItem />
        </div>
      </details>
    </nav>
  );
}

/** What stops everything must be at hand on a phone too. */
function PauseItem() {
  const { label, isSaving, error, toggle } = usePause();
  return (
    <button type="button" onClick={toggle} disabled={isSaving}>
      {label}
      {error === null ? null : <span className="bad small"> {error.message}</span>}
    </button>
  );
}
