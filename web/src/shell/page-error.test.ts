import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { createQueryClient } from "../data/queries.ts";
import { pageError } from "./page-error.ts";

const gone = new TypeError("Failed to fetch");

async function failFetch(before: string | undefined) {
  const queries = createQueryClient();
  if (before !== undefined) queries.setQueryData(["list"], before);
  const query = { queryKey: ["list"], queryFn: () => Promise.reject(gone), staleTime: 0, retry: false };
  return new QueryObserver<string>(queries, { ...query, enabled: false }).refetch();
}

it("replaces the page if nothing could be loaded", async () => {
  expect(pageError(await failFetch(undefined))).toBe(gone);
});

it("keeps the page if only a refetch failed", async () => {
  expect(pageError(await failFetch("loaded"))).toBeNull();
});
