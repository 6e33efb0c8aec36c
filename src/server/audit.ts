import type { Context, MiddlewareHandler } from "hono";
import type { Principal } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import type { AuditEntryView } from "../protocol/views/audit.ts";
import type { AppEnv } from "./app.ts";
import { matchCall } from "./match-call.ts";

export type AuditRecord = Omit<AuditEntryView, "id" | "at">;

/** Records who requested which write, and its outcome. */
export interface Audit {
  record(record: AuditRecord): void;
  /** Newest first. */
  read(): readonly AuditEntryView[];
}

const WRITES = ["POST", "PUT", "PATCH", "DELETE"];
/** Longer ones are not genuine. */
const MAX_CALL = 300;

/** Records every write, including those refused before any handler sees them. */
export function createAuditor(audit: Audit): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    if (!WRITES.includes(c.req.method)) return;
    const isDone = c.res.status < 400;
    if (isDone && matchCall(c.req.method, c.req.path)?.spec.changesNothing === true) return;
    audit.record(
      toRecord(`${c.req.method} ${c.req.path}`, c.get("principal"), { status: c.res.status, code: codeOf(c) }),
    );
  };
}

/** The record of one call; without a principal the caller is unknown. */
export function toRecord(
  call: string,
  principal: Principal | undefined,
  { status, code }: { readonly status: number; readonly code: string | null },
): AuditRecord {
  // Without authentication, the caller is unknown.
  const { kind, name } = principal?.name ? principal : { kind: "unknown" as const, name: "" };
  const outcome = status < 400 ? "done" : status < 500 ? "refused" : "failed";
  return { by: { kind, name }, call: call.slice(0, MAX_CALL), outcome, status, code };
}

function codeOf(c: Context<AppEnv>): string | null {
  if (c.error !== undefined) return c.error instanceof AoError ? c.error.code : "internal";
  return c.res.status < 400 ? null : "not-found";
}
