import { z } from "zod";
import { isInside } from "./inner-path.ts";

const CopyIgnored = z.strictObject({
  paths: z
    .array(z.string().refine(isInside, "must be a path below the project's root"))
    .default(["node_modules"])
    .describe("Folders of the main checkout, ignored by git, that a new workspace gets too."),
  how: z
    .enum(["auto", "cow", "hardlink", "copy", "none"])
    .default("auto")
    .describe("auto: copy-on-write where the file system can, else not at all."),
});

export const CheckoutConfig = z.strictObject({
  postCreateTimeoutMs: z.number().int().positive().default(600_000).describe("Time limit of each postCreate command."),
  preRemoveTimeoutMs: z.number().int().positive().default(60_000).describe("Time limit of each preRemove command."),
  maxUntrackedBytes: z
    .number()
    .int()
    .positive()
    .default(100_000_000)
    .describe("Untracked files above this total are not saved; their folder stays."),
  copyIgnored: CopyIgnored.prefault({}),
});

export type CheckoutConfig = z.infer<typeof CheckoutConfig>;
