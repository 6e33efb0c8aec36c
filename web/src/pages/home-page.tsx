import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { everySessionQuery, isEmptyQuery } from "../data/queries.ts";
import { FleetPage } from "./fleet/fleet-page.tsx";

const FirstRun = lazy(() => import("./first-run/first-run.tsx").then((m) => ({ default: m.FirstRun })));

/** The fleet; before the first session, how to start one. */
export function HomePage() {
  const isEmpty = useQuery(isEmptyQuery()).data === true;
  const every = useQuery({ ...everySessionQuery(), enabled: isEmpty });
  if (!isEmpty || every.data === undefined || every.data.data.length > 0) return <FleetPage />;
  return (
    <main>
      <h1 className="visually-hidden">Fleet</h1>
      <Suspense fallback={null}>
        <FirstRun />
      </Suspense>
    </main>
  );
}
