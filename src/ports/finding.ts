/** A line of `ao doctor`. */
export interface Finding {
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to do about it; null: nothing. */
  readonly fix: string | null;
}
