import { AoError, type ErrorCode } from "../core/errors.ts";
import type { ProblemView } from "./views/daemon.ts";

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: 400,
  "config-invalid": 400,
  "message-refused": 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  "session-unknown": 404,
  "project-unknown": 404,
  "task-unknown": 404,
  "message-unknown": 404,
  "question-unknown": 409,
  conflict: 409,
  "task-taken": 409,
  "branch-taken": 409,
  "session-state": 409,
  "session-ambiguous": 409,
  "project-exists": 409,
  "config-not-found": 404,
  "changed-meanwhile": 412,
  "too-large": 413,
  "too-many-attempts": 429,
  "key-reused": 422,
  "not-a-repository": 422,
  "no-commits": 422,
  "detached-head": 422,
  "program-missing": 422,
  "plugin-unavailable": 422,
  unsupported: 422,
  "workspace-missing": 409,
  "disk-full": 507,
  "store-unwritable": 503,
  "store-corrupt": 503,
  "daemon-unreachable": 503,
  timeout: 504,
};

/** An error as problem JSON, the same from the API and from the CLI with --json. */
export function toProblem(error: unknown): ProblemView {
  const known = error instanceof AoError ? error : null;
  const status = known === null ? 500 : statusOf(known.code);
  return {
    type: "about:blank",
    title: TITLES[status] ?? "Error",
    status,
    code: known?.code ?? "internal",
    detail: known?.message ?? "Something went wrong inside ao.",
    hint: known?.hint ?? null,
  };
}

/** The HTTP status of an error. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? 500;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  409: "Conflict",
  412: "Precondition failed",
  413: "Too large",
  422: "Cannot be done",
  429: "Too many attempts",
  500: "Internal error",
  503: "Unavailable",
  504: "Timed out",
  507: "Insufficient storage",
};
