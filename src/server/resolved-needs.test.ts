import { expect, it } from "vitest";
import { openLiveFleet } from "../../test/support/live-fleet.ts";
import { sessionStream } from "../core/stream.ts";
import { createResolvedNeeds } from "./resolved-needs.ts";

it("lists resolved needs, newest first, for a day", async () => {
  const fleet = openLiveFleet(2);
  const list = createResolvedNeeds(fleet.sources.engine.world, fleet.sources.store);
  for (const id of ["s0", "s1"]) {
    const stream = sessionStream(id);
    fleet.commit(stream, { type: "agent.asked", id: "q", run: 1, question: `Ask ${id}`, choices: ["yes"] });
    expect(await list(10_000)).toHaveLength(id === "s0" ? 0 : 1);
    fleet.commit(stream, { type: "agent.answered", questionId: "q", choice: "yes", messageId: "m" });
  }
  const resolved = await list(10_000);
  expect(resolved.map(({ sessionId, text, how }) => [sessionId, text, how])).toEqual([
    ["s1", "Ask s1", "answered “yes”"],
    ["s0", "Ask s0", "answered “yes”"],
  ]);
  expect(await list(2 * 24 * 60 * 60_000)).toEqual([]);
});
