import type { Variables } from "./template.ts";

/** A problem as it shows in the state now. */
export interface Sight {
  readonly id: string;
  readonly key: string;
  readonly occurrence: string;
  readonly text: string;
  /** What its message may say. */
  readonly variables: () => Variables;
}

/** Problems that are there, and those of which nothing certain can be said: a pending check takes none away. */
export interface Sights {
  readonly open: readonly Sight[];
  readonly unclear: (problemId: string) => boolean;
}
