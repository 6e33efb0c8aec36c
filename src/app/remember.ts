import type { Clock } from "../ports/host.ts";

/** Caches answers for a while; concurrent questions share one answer. */
export function rememberFor<T>(
  ms: number,
  clock: Clock,
  ask: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined && clock.now() - found.at < ms) return found.answer;
    const answer = ask(key);
    known.set(key, { at: clock.now(), answer });
    answer.catch(() => known.delete(key));
    return answer;
  };
}
