import type { z } from "zod";
import type { Principal } from "../auth/tokens.ts";
import type { Api, Call, ParamsOf } from "../protocol/api.ts";
import type { CALLS } from "../protocol/calls/all.ts";
import type { Immutable } from "../protocol/views/view.ts";
import type { CallContext } from "./call-context.ts";

/** A parsed call, as its handler gets it. */
export interface Incoming<C extends Call> {
  /** The path parameters; a session's `id` is the full id, whatever the caller wrote. */
  readonly params: ParamsOf<C>;
  readonly query: Parsed<C, "query">;
  readonly body: Parsed<C, "body">;
  readonly context: CallContext;
  readonly principal: Principal;
  /** The value of `If-Match`, without quotes. */
  readonly ifMatch: string | undefined;
  /** The raw request, for a call with a signed body. */
  readonly raw: RawRequest;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
  /** For an answer whose status differs from the table's. */
  setStatus(status: 200 | 503): void;
  /** For an answer with a version that a later write names; the answer itself is not cached. */
  setVersion(version: string): void;
}

export interface RawRequest {
  header(name: string): string | undefined;
  bytes(): Promise<Uint8Array>;
}

type Parsed<C extends Call, Part extends "query" | "body"> = (typeof CALLS)[C] extends {
  readonly [Key in Part]: infer Schema extends z.ZodType;
}
  ? Immutable<z.output<Schema>>
  : undefined;

export type Handler<C extends Call> = (incoming: Incoming<C>) => Api[C]["out"] | Promise<Api[C]["out"]>;

/** A handler for each of these calls; the compiler reports a missing one. */
export type Handlers<C extends Call = Call> = { readonly [Key in C]: Handler<Key> };
