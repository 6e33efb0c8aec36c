import { describe } from "vitest";
import { expectSame, itHolds } from "../../../test/support/random-story.ts";
import { createReplay } from "./replay.ts";
import { keyOfStep, type LoggedEvent } from "./step.ts";

describe("in any story", () => {
  itHolds(
    {
      "replaying the log makes the same decisions about problems, messages, notifications and merges as live": () => {
        // These stories have no timers between steps.
        const replay = createReplay({ scope: null, from: 0, policies: new Map(), wasWatched: () => false });
        const show = ({ at, ...step }: LoggedEvent): string => `${at} ${keyOfStep(step)}`;
        let read = 0;
        let compared = 0;
        return ({ log, now }) => {
          for (; read < log.length; read += 1) replay.next(log[read] as LoggedEvent);
          replay.finish(now);
          expectSame(replay.decided.slice(compared).map(show), replay.recorded.slice(compared).map(show));
          compared = replay.recorded.length;
        };
      },
    },
    { stories: 250 },
  );
});
