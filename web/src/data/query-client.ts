import { createQueryClient } from "./queries.ts";

/** The page's one cache. */
export const queryClient = createQueryClient();
