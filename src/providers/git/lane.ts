export type Lane = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Runs tasks with the same key one after another, in order of arrival; other keys do not wait. */
export function createLane(): Lane {
  const tails = new Map<string, Promise<unknown>>();
  return function run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = tails.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    // The tail swallows the failure: it belongs to the caller, not to the next task in the lane.
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

/**
 * The lane for everything that changes a repository, shared by all plugins: two projects may be the same repository.
 * Keys are paths.
 */
export const repositoryLane: Lane = createLane();
