import { z } from "zod";
import type { View } from "./view.ts";

export const CollisionView = z
  .object({
    projectId: z.string(),
    session: z.string(),
    other: z.string().nullable().describe("The other session; null: the project's base branch."),
    files: z.array(z.string()).describe("Files that would conflict, at most 100."),
    since: z.iso.datetime(),
  })
  .meta({ id: "CollisionView", description: "Work that would conflict if both were merged." });
export type CollisionView = View<typeof CollisionView>;
