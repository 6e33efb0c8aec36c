import { describe, expect, it } from "vitest";
import { PluginError } from "../core/errors.ts";
import type { Tracker } from "../ports/tracker.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { liveOnce } from "../testing/engine-bed/story.ts";
import { reportWork } from "./report-work.ts";

const DONE = /^Merged with a local pull request of branch `agent\/issue-1` as \w{12}\.$/;

/** Reports on a bed; returns every written comment, in order. */
function report(bed: EngineBed, fail: () => PluginError | null = () => null): string[] {
  const { tracker } = bed.world.tracker;
  const texts: string[] = [];
  const watched: Tracker = {
    ...tracker,
    comment: async (id, comment) => {
      const failure = fail();
      if (failure !== null) throw failure;
      texts.push(comment.text);
      await tracker.comment(id, comment);
    },
  };
  reportWork({ engine: bed.engine, host: bed.world.machine.host, trackerOf: async () => watched });
  return texts;
}

function commentsOf(bed: EngineBed): readonly string[] {
  return [...(bed.world.tracker.comments.get("1")?.values() ?? [])];
}

describe("the comment of a session on its issue", () => {
  it("says when work starts, names the pull request, and says how it ended, in one comment", async () => {
    const bed = await openEngineBed();
    const texts = report(bed);
    await liveOnce(bed);
    await bed.idle();
    expect(texts).toEqual([
      "ao is working on this; session `demo-1`, branch `agent/issue-1`.",
      "ao opened a local pull request of branch `agent/issue-1` for this; session `demo-1`.",
      expect.stringMatching(DONE),
    ]);
    expect(commentsOf(bed)).toEqual([texts.at(-1)]);
  });

  it("moves the issue along with the work", async () => {
    const bed = await openEngineBed();
    const moves: string[] = [];
    const transition: Tracker["transition"] = async (id, stage) => void moves.push(`${id} ${stage}`);
    const tracker: Tracker = { ...bed.world.tracker.tracker, transition };
    reportWork({ engine: bed.engine, host: bed.world.machine.host, trackerOf: async () => tracker });
    await liveOnce(bed);
    await bed.idle();
    expect(moves).toEqual(["1 working", "1 review"]);
  });

  it("is written later if the daemon died before it could", async () => {
    const bed = await openEngineBed();
    await liveOnce(bed);
    await bed.restart();
    report(bed);
    await bed.idle();
    expect(commentsOf(bed)).toEqual([expect.stringMatching(DONE)]);
  });

  it("is retried if the tracker was not reached, when the tracker allows it", async () => {
    const bed = await openEngineBed();
    await liveOnce(bed);
    const failures = [new PluginError({ plugin: "x", category: "rate-limited", message: "slow", retryAfterMs: 5000 })];
    report(bed, () => failures.pop() ?? null);
    await bed.idle();
    expect(commentsOf(bed)).toEqual([]);
    await bed.advance(5000);
    expect(commentsOf(bed)).toHaveLength(1);
  });

  it("is not retried without a reason if the tracker rejects it", async () => {
    const bed = await openEngineBed();
    await liveOnce(bed);
    let tries = 0;
    report(bed, () => {
      tries += 1;
      return new PluginError({ plugin: "x", category: "auth", message: "no" });
    });
    await bed.idle();
    await bed.advance(600_000);
    expect(tries).toBe(1);
  });
});
