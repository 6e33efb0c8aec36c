import { z } from "zod";
import {
  CleanupBody,
  CreateLinkBody,
  CreateTokenBody,
  NothingBody,
  ShutdownBody,
  TestNotifierBody,
} from "../bodies/daemon.ts";
import { AUDIT_OUTCOMES } from "../choices.ts";
import { AuditEntryView } from "../views/audit.ts";
import { CleanupView, FindingView, HealthView, LinkView, MeView, NotifyTestView, TokenView } from "../views/daemon.ts";
import { type CallTable, listOf, pageOf, paging } from "./call.ts";

const reading = { tag: "daemon", scope: "read", errors: [] } as const;
const admin = { tag: "daemon", scope: "admin", errors: [] } as const;
const path = z.string().exactOptional().describe("The PATH of the caller's shell; default: the daemon's.");

export const DAEMON_CALLS = {
  "GET /healthz": {
    ...reading,
    summary:
      "Tell whether the daemon works; 503 if it does not. Only a person's token learns why, and the path of the socket.",
    scope: null,
    answer: HealthView,
  },
  "GET /api/openapi.json": {
    ...reading,
    summary: "Get this API as an OpenAPI 3.1 document.",
    answer: z.looseObject({ openapi: z.string() }),
  },
  "GET /api/doctor": {
    ...reading,
    summary: "Check that each project's agent can start.",
    query: z.strictObject({ path }),
    answer: listOf(FindingView),
  },
  "GET /api/agents": {
    ...reading,
    summary: "List agents: those whose program is installed, all known ones, and variables they may need.",
    query: z.strictObject({ path }),
    answer: z.object({ found: z.array(z.string()), known: z.array(z.string()), variables: z.array(z.string()) }),
  },
  "GET /api/machine-config": {
    ...reading,
    summary: "Tell which file sets machine-wide keys.",
    answer: z.object({ file: z.string().nullable() }),
  },
  "POST /api/notify/test": {
    ...admin,
    summary: "Send a test notification.",
    errors: ["not-found"],
    body: TestNotifierBody,
    answer: listOf(NotifyTestView),
  },
  "POST /api/cleanup": {
    ...admin,
    summary: "Remove worktrees and branches of finished sessions.",
    body: CleanupBody,
    answer: CleanupView,
  },
  "POST /api/link": {
    ...admin,
    summary: "Create a link that signs in one browser, once.",
    errors: ["session-unknown", "session-ambiguous", "conflict"],
    body: CreateLinkBody,
    status: 201,
    answer: LinkView,
  },
  "GET /api/me": { ...reading, summary: "Tell who is calling.", own: true, answer: MeView },
  "GET /api/audit": {
    ...admin,
    summary: "List writes, newest first: who asked, when, for which call, and what came of it.",
    query: z.strictObject({
      ...paging,
      limit: paging.limit.describe("Entries per page; default: 100."),
      outcome: z.enum(AUDIT_OUTCOMES).exactOptional().describe("Default: all."),
    }),
    answer: pageOf(AuditEntryView),
  },
  "GET /api/tokens": { ...admin, summary: "List API tokens, without their secrets.", answer: listOf(TokenView) },
  "POST /api/tokens": {
    ...admin,
    summary: "Create an API token; its secret is shown only now.",
    errors: ["conflict"],
    body: CreateTokenBody,
    status: 201,
    answer: z.object({ name: z.string(), token: z.string() }),
  },
  "DELETE /api/tokens/:name": {
    ...admin,
    summary: "Revoke an API token.",
    errors: ["not-found"],
    body: NothingBody,
    answer: TokenView,
  },
  "POST /api/shutdown": {
    ...admin,
    summary: "Stop the daemon; agents keep running.",
    body: ShutdownBody,
    answer: z.object({ stopping: z.literal(true) }),
  },
} as const satisfies CallTable;
