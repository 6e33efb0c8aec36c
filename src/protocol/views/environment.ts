import { z } from "zod";
import type { View } from "./view.ts";

const VariableView = z
  .object({
    name: z.string(),
    rule: z.string().describe("Why it is passed on."),
    programs: z
      .array(z.enum(["agent", "checks", "postCreate", "git"]))
      .describe("Who gets it; `git` with its hooks and filters."),
    value: z.string().nullable().describe("null: it may be a secret."),
  })
  .meta({ id: "VariableView", description: "A variable, and which of a session's programs get it." });
export type VariableView = View<typeof VariableView>;

export const EnvironmentView = z
  .object({
    variables: z.array(VariableView),
    withheld: z.array(z.string()).describe("Names of the daemon's variables that none of them gets."),
  })
  .meta({ id: "EnvironmentView" });
export type EnvironmentView = View<typeof EnvironmentView>;
