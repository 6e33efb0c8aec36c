/** Runs work of one kind, so much of it at the same time; the rest waits in line. */
export type Turnstile<Tool> = <T>(work: (tool: Tool) => Promise<T>) => Promise<T>;

/** Creates one that gives each work one of these tools while it runs. */
export function createTurnstile<Tool>(tools: readonly Tool[]): Turnstile<Tool> {
  const free = [...tools];
  const waiting: ((tool: Tool) => void)[] = [];
  return async (work) => {
    const tool = free.pop() ?? (await new Promise<Tool>((resolve) => waiting.push(resolve)));
    try {
      return await work(tool);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(tool);
      else next(tool);
    }
  };
}
