import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** Slots and queue. They are not part of the live stream: components refetch them when sessions change. */
export const capacityQuery = () =>
  queryOptions({
    queryKey: ["capacity"],
    queryFn: ({ signal }) => call("GET /api/capacity", { signal }),
    staleTime: 0,
  });
