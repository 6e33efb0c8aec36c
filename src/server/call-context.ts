/** What a call may know of its caller. */
export interface CallContext {
  /** From the `Idempotency-Key` header. */
  readonly key?: string | undefined;
}
