/** Wakes whoever waits, also one who comes too late to hear it. */
export interface WakeUp {
  wake(): void;
  /** True when it was woken, also if that was before the call; false after the time. */
  wait(limitMs: number): Promise<boolean>;
}

/** Makes one for a single waiter. */
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
