import { createSystemClock } from "../platform/clock.ts";
import { pollUntil } from "../ports/poll.ts";
import { PATIENCE_MS } from "./patience.ts";

/** Repeats an assertion about another process until it holds; fails with its own message. */
export async function eventually(assert: () => Promise<void>, timeoutMs = PATIENCE_MS): Promise<void> {
  let last: unknown;
  const holds = (): Promise<boolean> =>
    assert().then(
      () => true,
      (error: unknown) => {
        last = error;
        return false;
      },
    );
  if (!(await pollUntil(createSystemClock(), { everyMs: 10, timeoutMs }, holds))) throw last;
}
