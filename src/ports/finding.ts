/** A line of `ao doctor`. */
export interface Finding {
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  /** How to fix it; null if there is nothing to do. */
  readonly fix: string | null;
}
