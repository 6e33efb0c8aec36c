export type Lane = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Runs tasks of the same key one after the other, in order of arrival; other keys do not wait. */
export function createLane(): Lane {
  const tails = new Map<string, Promise<unknown>>();
  return function run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = tails.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    // The tail swallows the failure: it belongs to the caller, not to the one who waits behind.
    const tail: Promise<unknown> = result.then(
      () => forget(),
      () => forget(),
    );
    tails.set(key, tail);
    function forget(): void {
      if (tails.get(key) === tail) tails.delete(key);
    }
    return result;
  };
}

/** The lane of everything that changes a repository, for all plugins: two projects may be the same repository. Keys are paths. */
export const repositoryLane: Lane = createLane();
