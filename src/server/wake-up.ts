/** Wakes a waiter, even one that starts waiting later. */
export interface WakeUp {
  wake(): void;
  /** True if it was woken, even before the call; false on timeout. */
  wait(limitMs: number): Promise<boolean>;
}

/** Creates one for a single waiter. */
export function createWakeUp(): WakeUp {
  let isWoken = false;
  let resume: (() => void) | null = null;
  return {
    wake: () => {
      isWoken = true;
      resume?.();
    },
    wait: async (limitMs) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        resume = null;
      }
      const answer = isWoken;
      isWoken = false;
      return answer;
    },
  };
}
