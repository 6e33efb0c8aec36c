import { AoError } from "../core/errors.ts";

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `http:` or `https:`; a user and password in it are sent as basic authentication. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** It changes nothing, so it may use a kept-alive connection and is resent if the server had closed it. */
  readonly isRead?: boolean;
  /** Default 10 s, from the first byte sent to the last one read. */
  readonly timeoutMs?: number;
  /** Default 1 MiB; the rest of the body is cut off. */
  readonly maxBytes?: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body was longer than `maxBytes`. */
  readonly truncated: boolean;
}

/**
 * Sends a request. Every status is an answer, including redirects: they are not followed, so nothing meant for one host
 * reaches another. Rejects with HttpError if there is no answer. Logs neither headers nor bodies.
 */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Why there is no answer: the request cannot be made (`invalid`), the server was not reached and has seen nothing
 * (`unreachable`), it was reached but did not answer completely in time (`timeout`), or the connection broke
 * (`broken`).
 */
export type HttpReason = "invalid" | "unreachable" | "timeout" | "broken";

/** A request without an answer. It names only the host: the rest of a URL may be secret. */
export class HttpError extends AoError {
  readonly reason: HttpReason;

  constructor(reason: HttpReason, message: string) {
    super({ code: reason === "timeout" ? "timeout" : "plugin-failed", message });
    this.name = "HttpError";
    this.reason = reason;
  }
}
