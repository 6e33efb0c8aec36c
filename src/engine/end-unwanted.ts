import { pause } from "../ports/poll.ts";
import type { OpenIntent } from "../ports/store.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { isStarted, isUnwanted, markOf } from "./run-intent.ts";

/** How often processes of an unwanted intent are asked to end; from the second time on they are killed. */
const END_EVERY_MS = 1000;

export interface UnwantedParts {
  readonly loop: Loop;
  readonly deps: EffectDeps;
}

/**
 * Returns a function that ends the processes of every started intent that is unwanted now, until the intent is over: a
 * hanging hook or set-up command must not keep its session from stopping.
 */
export function createUnwantedEnder({ loop, deps }: UnwantedParts): () => void {
  const { host } = deps;
  const ending = new Set<string>();
  const signalAll = async (intent: OpenIntent, signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    for (const { pid } of await host.processes.findByIntent(markOf(intent, deps))) host.processes.signal(pid, signal);
  };
  const end = async (intent: OpenIntent): Promise<void> => {
    ending.add(intent.id);
    for (let signal: "SIGTERM" | "SIGKILL" = "SIGTERM"; loop.openIntents.has(intent.id); signal = "SIGKILL") {
      // Processes that cannot be listed now, such as with too many open files, can be listed later.
      await signalAll(intent, signal).catch((error: unknown) =>
        host.log.warn("could not end the processes of a stopping session", {
          intent: intent.id,
          reason: String(error),
        }),
      );
      await pause(host.clock, END_EVERY_MS);
    }
    ending.delete(intent.id);
  };
  return () => {
    for (const intent of loop.openIntents.values())
      if (isStarted(intent) && !ending.has(intent.id) && isUnwanted(intent, deps)) void end(intent);
  };
}
