/** Does the work for every item in order, up to this many at a time. */
export async function sideBySide<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const workOn = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: count }, workOn));
}
