import { queryOptions } from "@tanstack/react-query";
import type { CostGrouping } from "../../../src/protocol/views/cost.ts";
import { call } from "./call.ts";

interface Range {
  readonly by: CostGrouping;
  readonly since: string | null;
  readonly project: string | null;
}

/** Aggregated costs. They are not part of the live stream: components refetch them when the fleet's total changes. */
export const costsQuery = ({ by, since, project }: Range) =>
  queryOptions({
    queryKey: ["costs", by, since, project],
    queryFn: ({ signal }) =>
      call("GET /api/costs", {
        input: { by, ...(since === null ? {} : { since }), ...(project === null ? {} : { project }) },
        signal,
      }),
  });
