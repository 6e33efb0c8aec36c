import type { ErrorCode, PluginErrorCategory } from "../../core/errors.ts";
import type { HttpError } from "../../ports/http.ts";

/** What a failed request means, before it becomes a plugin's error. */
export interface Verdict {
  readonly category: PluginErrorCategory;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly hint?: string;
  readonly retryAfterMs?: number;
}

/** Without an answer, it is unknown whether a write was seen. */
export function judgeConnection({ reason, message }: HttpError, isWrite: boolean): Verdict {
  if (reason === "invalid") return { category: "config", message, hint: "Check `baseUrl`." };
  if (reason === "unreachable") return { category: "unavailable", message };
  if (isWrite) return { category: "unknown-outcome", message };
  return reason === "timeout"
    ? { category: "timeout", code: "timeout", message }
    : { category: "unavailable", message };
}
