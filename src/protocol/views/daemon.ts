import { z } from "zod";
import { SCOPES } from "../choices.ts";
import type { View } from "./view.ts";

export const HealthView = z
  .object({
    ok: z.boolean(),
    version: z.string(),
    pid: z.int(),
    url: z.string().nullable(),
    socket: z.string(),
    trouble: z.string().nullable(),
    warning: z
      .string()
      .nullable()
      .exactOptional()
      .describe("What works and still needs a look, such as a clock that was set back."),
  })
  .meta({ id: "HealthView" });
export type HealthView = View<typeof HealthView>;

export const ProblemView = z
  .object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    hint: z.string().nullable().describe("What to do about it."),
  })
  .meta({ id: "ProblemView", description: "Why a call failed (RFC 9457)." });
export type ProblemView = View<typeof ProblemView>;

export const FindingView = z
  .object({
    name: z.string(),
    state: z.enum(["ok", "warn", "fail"]),
    text: z.string(),
    fix: z.string().nullable(),
  })
  .meta({ id: "FindingView", description: "One prerequisite: fine, worth knowing, or broken, with its fix." });
export type FindingView = View<typeof FindingView>;

export const CleanupView = z
  .object({
    dryRun: z.boolean(),
    items: z.array(
      z.object({
        sessionId: z.string(),
        action: z.enum(["removed", "would-remove", "refused"]),
        branch: z.string(),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: "CleanupView" });
export type CleanupView = View<typeof CleanupView>;

export const TokenView = z
  .object({ name: z.string(), createdAt: z.iso.datetime(), scope: z.enum(SCOPES) })
  .meta({ id: "TokenView" });
export type TokenView = View<typeof TokenView>;

export const MeView = z
  .object({
    kind: z.enum(["owner", "token", "session"]),
    name: z.string().describe("socket, browser, the name of a token, or the id of a session."),
    scopes: z.array(z.enum(SCOPES)).describe("Empty for a session, which only makes the calls marked own."),
    projectId: z.string().nullable().describe("The project of a session."),
  })
  .meta({ id: "MeView", description: "Who is calling." });

export const LinkView = z
  .object({ url: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: "LinkView", description: "A link that signs in one browser, once." });
export type LinkView = View<typeof LinkView>;

export const NotifyTestView = z
  .object({ notifier: z.string(), sent: z.boolean(), reason: z.string().nullable() })
  .meta({ id: "NotifyTestView" });
export type NotifyTestView = View<typeof NotifyTestView>;
