/** A time in ISO format, for people and programs. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}
