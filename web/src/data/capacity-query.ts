import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** Slots and queue. The live stream does not carry them: whoever shows them refetches when sessions change. */
export const capacityQuery = () =>
  queryOptions({
    queryKey: ["capacity"],
    queryFn: ({ signal }) => call("GET /api/capacity", { signal }),
    staleTime: 0,
  });
