import { setTimeout as pause } from "node:timers/promises";

/** Repeats an assertion about another process until it holds; fails with its own message. */
export async function eventually(assert: () => Promise<void>, limitMs = 10_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      await assert();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(10);
  }
}
