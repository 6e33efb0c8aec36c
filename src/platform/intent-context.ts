import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs work on behalf of an intent; programs started meanwhile carry its id in AO_INTENT. */
export function withIntent<T>(intentId: string, work: () => Promise<T>): Promise<T> {
  return current.run(intentId, work);
}

/** The intent on whose behalf the caller runs, if any. */
export function currentIntent(): string | undefined {
  return current.getStore();
}
