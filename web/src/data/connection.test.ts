import { expect, it } from "vitest";
import { onConnection, readConnection, setConnection } from "./connection.ts";

it("notifies when the connection changes, not on every message", () => {
  let calls = 0;
  const stop = onConnection(() => (calls += 1));
  setConnection({ state: "live", heardAt: 1 });
  for (let at = 2; at < 50; at += 1) setConnection({ heardAt: at });
  expect(calls).toBe(1);
  setConnection({ state: "lost" });
  expect([calls, readConnection().heardAt]).toEqual([2, 49]);
  stop();
});
