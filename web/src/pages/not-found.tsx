import { Link } from "wouter";

export function NotFound() {
  return (
    <main className="page">
      <h1>No such page</h1>
      <p className="ink-2">
        <Link href="/" className="link">
          Back to the fleet
        </Link>
      </p>
    </main>
  );
}
