import "./fleet.css";
import "./rows.css";
import "./list.css";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { sessionsQuery } from "../../data/queries.ts";
import { readDensity } from "../../lib/density-choice.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useIsNarrow, useIsPhone } from "../../lib/use-is-phone.ts";
import { densityOf } from "./density.ts";
import { FleetTable } from "./fleet-table.tsx";
import { FooterPlace, Skeleton } from "./skeleton.tsx";
import { useMedia } from "./use-axis.ts";
import { useFleet } from "./use-fleet.ts";
import { Vitals } from "./vitals.tsx";

// Loaded only for other fleet or window sizes than the usual one.
const DenseTable = lazy(() => import("./dense-table.tsx").then((m) => ({ default: m.DenseTable })));
const FleetFooter = lazy(() => import("./fleet-footer.tsx").then((m) => ({ default: m.FleetFooter })));
const Roomy = lazy(() => import("./roomy.tsx").then((m) => ({ default: m.Roomy })));
const Today = lazy(() => import("./today.tsx").then((m) => ({ default: m.Today })));

/** Home: every session on one axis, needs first. */
export function FleetPage() {
  const fleet = useFleet();
  usePageTitle("Fleet");
  const { isPending } = useQuery(sessionsQuery());
  const isPhone = useIsPhone();
  const isNarrow = useIsNarrow();
  const isWide = useMedia("(min-width: 1800px)");
  if (isPending) return <Skeleton />;
  const count = fleet.sessions?.length ?? 0;
  const density = densityOf(count, readDensity());
  const isDense = density === "dense" || density === "collapsed";
  const Table = isDense ? DenseTable : FleetTable;
  return (
    <Suspense fallback={<Skeleton />}>
      <main className="fleet">
        <h1 className="visually-hidden">Fleet</h1>
        <Vitals fleet={fleet} isLine={isDense && !isNarrow} isShort={isNarrow} />
        {density === "roomy" || isNarrow ? (
          <Roomy fleet={fleet} isNarrow={isNarrow} />
        ) : (
          <div className="fleet-columns">
            <Table fleet={fleet} density={density} />
            {isWide ? <Today /> : null}
          </div>
        )}
        {isPhone ? null : (
          <Suspense fallback={<FooterPlace />}>
            <FleetFooter />
          </Suspense>
        )}
      </main>
    </Suspense>
  );
}
