import { createQueryClient } from "./queries.ts";

/** The one store of what the page knows. */
export const queryClient = createQueryClient();
