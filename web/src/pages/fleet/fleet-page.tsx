import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { sortSessions } from "../../../../src/protocol/fleet-order.ts";
import { stateWord } from "../../../../src/protocol/state-word.ts";
import { sessionsQuery } from "../../data/queries.ts";

export function FleetPage() {
  const { data, error } = useQuery(sessionsQuery());
  if (error !== null) return <main className="page bad">{error.message}</main>;
  return (
    <main className="page">
      <h1 className="visually-hidden">Fleet</h1>
      <ul>
        {sortSessions(data?.data ?? []).map((session) => (
          <li key={session.id} className="one-line">
            <Link href={`/s/${session.id}`}>
              <code>{session.id}</code> {session.title} <span className="ink-3">{stateWord(session).word}</span>
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}
