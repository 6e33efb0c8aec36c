/**
 * Places between two steps where a crash is interesting. The daemon passes a function that does nothing; the crash
 * tests pass one that kills the process there.
 */
export type FaultPoint =
  | "commit:before"
  | "commit:after"
  | "publish:after"
  | "start:after"
  | "execute:before"
  | "execute:inside"
  | "execute:after"
  | "outcome:after";

export type Faults = (point: FaultPoint, detail: string) => void;

/** No crash anywhere. */
export function noFaults(): void {
  // Does nothing outside crash tests.
}
