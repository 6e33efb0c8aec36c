import { z } from "zod";
import { AUDIT_OUTCOMES } from "../choices.ts";
import type { View } from "./view.ts";

export const AuditEntryView = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    by: z.object({
      kind: z.enum(["owner", "token", "session", "unknown"]),
      name: z.string().describe("socket, browser, main token, the name of a token, or the id of a session."),
    }),
    call: z.string().describe("Method and path."),
    outcome: z.enum(AUDIT_OUTCOMES),
    status: z.int().describe("The HTTP status of the answer."),
    code: z.string().nullable().describe("Why it was refused or failed; null: it was not."),
  })
  .meta({ id: "AuditEntryView", description: "A write that somebody asked for, and what came of it." });
export type AuditEntryView = View<typeof AuditEntryView>;
