import type { Api, Call } from "../../../src/protocol/api.ts";
import { buildRequest, readAnswer } from "../../../src/protocol/request.ts";
import { setConnection } from "./connection.ts";

export interface CallOptions<C extends Call> {
  /** Values for the `:name` parts of the path. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query of a GET, otherwise the body. */
  readonly input?: Api[C]["in"];
  /** The same key twice is one write; by default each call has its own. */
  readonly key?: string;
  /** The version that was read, for writes that must not overwrite another. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

/** Makes one API call. Rejects with an AoError that carries the daemon's code, message and hint. */
export async function call<C extends Call>(name: C, options: CallOptions<C> = {}): Promise<Api[C]["out"]> {
  const { method, path, body } = buildRequest(name, options.params ?? {}, options.input);
  const isWrite = method !== "GET";
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(isWrite ? { "idempotency-key": options.key ?? crypto.randomUUID() } : {}),
      ...(options.ifMatch === undefined ? {} : { "if-match": `"${options.ifMatch}"` }),
    },
  });
  // Whatever was asked: the page says that it is signed out, instead of each field on its own.
  if (response.status === 401) setConnection({ state: "signed-out", retryAt: null });
  return readAnswer({ status: response.status, text: await response.text() }) as Api[C]["out"];
}
