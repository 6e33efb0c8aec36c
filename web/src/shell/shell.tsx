import "./shell.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { followEvents } from "../data/live.ts";
import { sessionsQuery } from "../data/queries.ts";

/** What every page has around it: the bar at the top, and the stream that keeps all of it current. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { data } = useQuery(sessionsQuery());
  const position = data?.fleet.position;
  const isLoaded = position !== undefined;
  // Only the first position matters: the stream itself knows how far it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => (isLoaded ? followEvents(queries, position) : undefined), [queries, isLoaded]);
  return (
    <>
      <header className="top-bar">
        <Link href="/" className="wordmark">
          ao
        </Link>
      </header>
      {children}
    </>
  );
}
