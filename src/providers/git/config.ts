import { z } from "zod";

export const CheckoutConfig = z.strictObject({
  postCreateTimeoutMs: z.number().int().positive().default(600_000).describe("Time limit of each postCreate command."),
  preRemoveTimeoutMs: z.number().int().positive().default(60_000).describe("Time limit of each preRemove command."),
  maxUntrackedBytes: z
    .number()
    .int()
    .positive()
    .default(100_000_000)
    .describe("Untracked files above this total are not saved; their folder stays."),
});

export type CheckoutConfig = z.infer<typeof CheckoutConfig>;
