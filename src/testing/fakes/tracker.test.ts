import { describeTrackerContract } from "../contracts/tracker.contract.ts";
import { createFakeTracker } from "./tracker.ts";

describeTrackerContract({
  name: "the fake tracker",
  create: () => {
    const { tracker, add, comments, malformed, countCalls } = createFakeTracker();
    return {
      tracker,
      seed: async (issue) => add(issue).id,
      seedMalformed: async () => {
        malformed.add("record-7");
        return "record-7";
      },
      commentsOf: (id) => [...(comments.get(id)?.values() ?? [])],
      countCalls,
    };
  },
});
