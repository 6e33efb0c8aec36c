import { describe, expect } from "vitest";
import { itHolds } from "../../test/support/random-story.ts";
import { pullRequestsOf } from "./find-pull-request.ts";
import { deriveView, toSessionView } from "./views.ts";

describe("in any story", () => {
  itHolds({
    "a session is shown as it is, whatever was shown of it before":
      () =>
      ({ world: { view } }) => {
        for (const session of view.sessions()) {
          const fresh = deriveView(session, view, { changes: pullRequestsOf(view, session.id) });
          expect(toSessionView(session, view)).toMatchObject(fresh);
        }
      },
  });
});
