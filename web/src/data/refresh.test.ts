import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRefresher } from "./refresh.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function record() {
  const fetched: string[] = [];
  const refresher = createRefresher({
    invalidateQueries: async (filters) => void fetched.push((filters?.queryKey ?? []).join(" ")),
  });
  return { fetched, refresher };
}

it("fetches at once the first time, and only once more after a burst", () => {
  const { fetched, refresher } = record();
  for (let n = 0; n < 20; n += 1) refresher.refresh([["capacity"]]);
  expect(fetched).toEqual(["capacity"]);
  vi.advanceTimersByTime(500);
  expect(fetched).toEqual(["capacity", "capacity"]);
  vi.advanceTimersByTime(5_000);
  expect(fetched).toHaveLength(2);
});

it("does not delay one key because of another", () => {
  const { fetched, refresher } = record();
  refresher.refresh([["capacity"]]);
  refresher.refresh([["session", "a"], ["capacity"]]);
  expect(fetched).toEqual(["capacity", "session a"]);
});

it("fetches nothing after it is closed", () => {
  const { fetched, refresher } = record();
  refresher.refresh([["capacity"], ["capacity"]]);
  refresher.close();
  vi.advanceTimersByTime(5_000);
  expect(fetched).toEqual(["capacity"]);
});
