/** Counts what is at work, so that tests and shutdowns can await quiescence instead of polling for it. */
export interface Activity {
  /** Counts work that begins; call the answer once, when it has ended. */
  begin(): () => void;
  /** Resolves when nothing is at work; at once if nothing is. */
  idle(): Promise<void>;
}

/**
 * Work that hands over to other work must begin the second before it ends the first; then the count touches zero only
 * when everything is over.
 */
export function createActivity(): Activity {
  let count = 0;
  const waiters: (() => void)[] = [];
  return {
    begin: () => {
      count += 1;
      return () => {
        count -= 1;
        if (count === 0) for (const resolve of waiters.splice(0)) resolve();
      };
    },
    idle: async () => {
      while (count > 0) await new Promise<void>((resolve) => waiters.push(resolve));
    },
  };
}
