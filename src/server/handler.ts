import type { z } from "zod";
import type { Principal } from "../auth/tokens.ts";
import type { Api, Call, ParamsOf } from "../protocol/api.ts";
import type { CALLS } from "../protocol/calls/all.ts";
import type { Immutable } from "../protocol/views/view.ts";
import type { CallContext } from "./call-context.ts";

/** A call as its handler gets it: parsed by the table. */
export interface Incoming<C extends Call> {
  /** The parts of the path; `id` of a session is the full id, whatever the caller wrote. */
  readonly params: ParamsOf<C>;
  readonly query: Parsed<C, "query">;
  readonly body: Parsed<C, "body">;
  readonly context: CallContext;
  readonly principal: Principal;
  /** What `If-Match` names, without its quotes. */
  readonly ifMatch: string | undefined;
  /** The request as it came, for a call whose body is signed. */
  readonly raw: RawRequest;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
  /** For an answer whose status is not the one in the table. */
  setStatus(status: 200 | 503): void;
  /** For an answer with a version that a later write names; the answer itself is not kept anywhere. */
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

/** A handler for each of these calls; the compiler asks for one that is missing. */
export type Handlers<C extends Call = Call> = { readonly [Key in C]: Handler<Key> };
