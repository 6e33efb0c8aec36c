/** Are two settings equal? Both come from the same code, so equal settings serialize equally. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
