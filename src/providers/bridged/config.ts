import { z } from "zod";

/** The policy fields shared by all agents behind the bridge. */
export const policyFields = {
  model: z.string().min(1).optional().describe("The model's name; default: the program's own choice."),
  permissions: z
    .enum(["ask", "edits", "all"])
    .default("ask")
    .describe("What it may do without asking: what it never asks about, edits in the workspace too, or all."),
  allow: z
    .array(z.string().min(1))
    .default([])
    .describe("Allowed without asking: commands (`npm test`, `git *`) and paths (`./src/**`)."),
  ask: z
    .array(z.string().min(1))
    .default([])
    .describe("Always asked about, over `allow` and `permissions`: commands (`git push *`) and paths."),
  deny: z.array(z.string().min(1)).default([]).describe("Never done: commands and paths, over `ask` and `allow`."),
};

/** The command to run, for agents with a usual program name. */
export function commandField(program: string) {
  return z
    .array(z.string())
    .min(1)
    .default([program])
    .describe("The program, by name or path, and arguments that come before those of ao.");
}
