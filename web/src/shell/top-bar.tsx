import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, Pause, Play, Plus, Search } from "lucide-react";
import { useLocation } from "wouter";
import { inboxQuery, projectsQuery } from "../data/queries.ts";
import { usePause } from "../data/use-pause.ts";
import { useParam } from "../lib/url-state.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { KeyCap } from "../parts/key-cap.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { isOnPage, PAGES } from "./pages.ts";

/** The top bar: where you are, and what works everywhere. */
export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const [path] = useLocation();
  return (
    <header className="bar top-bar">
      <PageLink href="/" className="wordmark" aria-label="ao, Fleet">
        ao
      </PageLink>
      <ProjectSwitcher />
      <nav className="top-pages" aria-label="Pages">
        {PAGES.map((page) => (
          <PageLink key={page.href} href={page.href} aria-current={isOnPage(path, page.href) ? "page" : undefined}>
            {page.label}
            {page.href === "/inbox" ? <InboxCount /> : null}
          </PageLink>
        ))}
      </nav>
      <button type="button" className="top-search" onClick={onSearch} aria-keyshortcuts="Control+K">
        <Search size={14} aria-hidden="true" />
        <span>Search or run a command</span>
        <KeyCap keys="Ctrl K" />
      </button>
      <PauseButton />
      <ButtonLink kind="primary" href="/new" hint="n" className="top-new">
        <Plus size={20} aria-hidden="true" />
        <span>New session</span>
      </ButtonLink>
    </header>
  );
}

function ProjectSwitcher() {
  const { data } = useQuery(projectsQuery());
  const [project, setProject] = useParam("project");
  return (
    <span className="switcher">
      <select aria-label="Project" value={project ?? ""} onChange={({ target }) => setProject(target.value)}>
        <option value="">All projects</option>
        {(data?.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <ChevronsUpDown size={12} aria-hidden="true" />
    </span>
  );
}

/** How many things need a person. */
export function InboxCount() {
  const { data } = useQuery(inboxQuery());
  const count = data?.data.length ?? 0;
  return count === 0 ? null : <span className="inbox-count">{count}</span>;
}

function PauseButton() {
  const { isPaused, label, isSaving, error, toggle } = usePause();
  const Icon = isPaused ? Play : Pause;
  return (
    <Button
      className="top-pause"
      onClick={toggle}
      disabled={isSaving}
      title={error?.message ?? "Shift P"}
      aria-keyshortcuts="Shift+P"
    >
      <Icon size={14} aria-hidden="true" />
      <span>{label}</span>
    </Button>
  );
}
