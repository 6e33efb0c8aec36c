/** What a call knows about its caller. */
export interface CallContext {
  /** From the `Idempotency-Key` header. */
  readonly key?: string | undefined;
}
