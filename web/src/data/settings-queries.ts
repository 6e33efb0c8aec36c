import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

export const tokensQuery = () =>
  queryOptions({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => call("GET /api/tokens", { signal }),
    // Tokens are also made with `ao token`, which the page does not hear of.
    staleTime: 0,
  });
