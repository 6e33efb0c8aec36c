import "./fleet.css";
import "./rows.css";
import "./list.css";
import { useQuery } from "@tanstack/react-query";
import { sessionsQuery } from "../../data/queries.ts";
import { densityOf } from "./density.ts";
import { FleetFooter } from "./fleet-footer.tsx";
import { FleetTable } from "./fleet-table.tsx";
import { Roomy } from "./roomy.tsx";
import { Skeleton } from "./skeleton.tsx";
import { useMedia } from "./use-axis.ts";
import { useFleet } from "./use-fleet.ts";
import { Vitals } from "./vitals.tsx";

/** Home: every session on one axis, what needs a person first. */
export function FleetPage() {
  const fleet = useFleet();
  const { isPending } = useQuery(sessionsQuery());
  const isPhone = useMedia("(max-width: 719px)");
  if (isPending) return <Skeleton />;
  const count = fleet.sessions?.length ?? 0;
  const density = densityOf(count);
  return (
    <main className="fleet">
      <h1 className="visually-hidden">Fleet</h1>
      <Vitals fleet={fleet} isLine={density === "dense" || density === "collapsed"} />
      {density === "roomy" || isPhone ? (
        <Roomy fleet={fleet} isPhone={isPhone} />
      ) : (
        <FleetTable fleet={fleet} density={density} />
      )}
      <FleetFooter />
    </main>
  );
}
