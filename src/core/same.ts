/** Are two settings equal? Both come from the same code, so equal settings are equal texts. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
