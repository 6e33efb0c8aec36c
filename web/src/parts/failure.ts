/** The message of a failed call: what failed, and the daemon's hint if any. */
export function describeFailure(error: Error): { readonly what: string; readonly fix: string | null } {
  const hint = "hint" in error && typeof error.hint === "string" ? error.hint : null;
  const what = error instanceof TypeError ? "The daemon cannot be reached." : error.message;
  return { what, fix: hint };
}
