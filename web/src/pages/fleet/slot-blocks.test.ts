import { expect, it } from "vitest";
import { anAttention, aSession } from "../../../../test/support/session-views.ts";
import { slotBlocks } from "./slot-blocks.ts";

const idle = (n: number) =>
  Array.from({ length: n }, (_, at) => aSession({ id: `s-${at}`, status: "idle", state: "idle" }));

it("there are as many slots as the limit says, whoever rests", () => {
  expect(slotBlocks(idle(10), { used: 2, limit: 5 })).toEqual(["live", "live", "free", "free", "free"]);
  expect(slotBlocks([], { used: 6, limit: 5 })).toHaveLength(6);
  expect(slotBlocks([], { used: 5, limit: 10_000 })).toHaveLength(60);
});

it("without a limit each agent is a block", () => {
  const sessions = [aSession({ attention: anAttention("review"), state: "idle" }), aSession(), ...idle(1)];
  expect(slotBlocks(sessions, { used: 1, limit: null })).toEqual(["live", "rest", "you"]);
  expect(slotBlocks([aSession({ status: "queued", state: "idle" })], null)).toEqual([]);
});
