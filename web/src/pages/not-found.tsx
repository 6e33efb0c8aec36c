import { PageLink } from "../parts/page-link.tsx";

export function NotFound() {
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
