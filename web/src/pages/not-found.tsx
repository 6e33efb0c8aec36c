import { usePageTitle } from "../lib/page-title.ts";
import { PageLink } from "../parts/page-link.tsx";

export function NotFound() {
  usePageTitle("No such page");
  return (
    <main className="page">
      <h1>No such page</h1>
      <p className="ink-2">
        <PageLink href="/" className="link">
          Back to the fleet
        </PageLink>
      </p>
    </main>
  );
}
