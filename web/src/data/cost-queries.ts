import { queryOptions } from "@tanstack/react-query";
import type { CostGrouping } from "../../../src/protocol/views/cost.ts";
import { call } from "./call.ts";

interface Range {
  readonly by: CostGrouping;
  readonly since: string | null;
  readonly project: string | null;
}

/** Costs, summed up. The live stream does not carry them: whoever shows them refetches when the fleet's own sum changes. */
export const costsQuery = ({ by, since, project }: Range) =>
  queryOptions({
    queryKey: ["costs", by, since, project],
    queryFn: ({ signal }) =>
      call("GET /api/costs", {
        input: { by, ...(since === null ? {} : { since }), ...(project === null ? {} : { project }) },
        signal,
      }),
  });
