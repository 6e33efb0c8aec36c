/** Counts running work, so that tests and shutdowns can await quiescence instead of polling. */
export interface Activity {
  /** Counts work that starts; call the returned function once, when it has ended. */
  begin(): () => void;
  /** Resolves when nothing is running; at once if nothing is. */
  idle(): Promise<void>;
}

/**
 * Work that hands over to other work must start the second before it ends the first; then the count reaches zero only
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
