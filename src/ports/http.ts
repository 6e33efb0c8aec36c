import { AoError } from "../core/errors.ts";

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `http:` or `https:`; a user and password in it become basic authentication. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default 10 s, from the first byte sent to the last one read. */
  readonly timeoutMs?: number;
  /** Default 1 MiB; more of the answer's body is cut off. */
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
 * Asks a server. Every status is an answer, also a redirect: none is followed, so nothing that was meant for one host
 * reaches another. Rejects with HttpError when there is no answer. Neither headers nor bodies are logged.
 */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Why there is no answer: the request cannot be made (`invalid`), the server was not reached and has seen nothing
 * (`unreachable`), or it was reached and did not answer whole in time (`timeout`) or at all (`broken`).
 */
export type HttpReason = "invalid" | "unreachable" | "timeout" | "broken";

/** A request without an answer. It names the host alone: the rest of an address may be a secret. */
export class HttpError extends AoError {
  readonly reason: HttpReason;

  constructor(reason: HttpReason, message: string) {
    super({ code: reason === "timeout" ? "timeout" : "plugin-failed", message });
    this.name = "HttpError";
    this.reason = reason;
  }
}
