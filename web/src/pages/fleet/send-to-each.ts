interface Sent {
  /** The ids of those that did not get it. */
  readonly failed: readonly string[];
  /** Why the first of them did not. */
  readonly error: Error | null;
}

/** Sends to several sessions at once, and returns which of them to try again. */
export async function sendToEach<Target extends { readonly id: string }>(
  sessions: readonly Target[],
  send: (session: Target) => Promise<unknown>,
): Promise<Sent> {
  const results = await Promise.allSettled(sessions.map(send));
  const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  const failed = sessions.filter((_, index) => results[index]?.status === "rejected");
  return { failed: failed.map(({ id }) => id), error: reasons[0] ?? null };
}
