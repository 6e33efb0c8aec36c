/** A time as people and programs read it. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}
