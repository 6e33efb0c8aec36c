/** A place where work waits until the test opens it. */
export interface Gate {
  /** Called by the work: waits here. */
  readonly pass: () => Promise<void>;
  /** Resolves when a caller waits at the gate. */
  arrived(): Promise<void>;
  /** Lets one waiter pass, or the next to come. */
  open(): void;
  /** Fails one waiter, or the next to come. */
  fail(error: Error): void;
}

/** A closed gate. */
export function createGate(): Gate {
  const waiting: ((error: Error | null) => void)[] = [];
  const ready: (Error | null)[] = [];
  const watchers: (() => void)[] = [];
  const release = (error: Error | null): void => {
    const next = waiting.shift();
    if (next === undefined) ready.push(error);
    else next(error);
  };
  return {
    pass: () =>
      new Promise((resolve, reject) => {
        const go = (error: Error | null): void => (error === null ? resolve() : reject(error));
        for (const seen of watchers.splice(0)) seen();
        const early = ready.shift();
        if (early === undefined) waiting.push(go);
        else go(early);
      }),
    arrived: async () => {
      if (waiting.length === 0) await new Promise<void>((resolve) => watchers.push(resolve));
    },
    open: () => release(null),
    fail: release,
  };
}

/** Lets every promise that can continue do so. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
