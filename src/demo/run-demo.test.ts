import { describe, expect, it } from "vitest";
import { demoChange, demoEvent, demoSession } from "../../test/support/demo-views.ts";
import { AoError } from "../core/errors.ts";
import type { EventView } from "../protocol/views/event.ts";
import type { PullRequestView } from "../protocol/views/pull-request.ts";
import type { SessionView } from "../protocol/views/session.ts";
import type { DemoDaemon } from "./demo-view.ts";
import { type DemoEnd, runDemo } from "./run-demo.ts";

interface Stand {
  readonly daemon: DemoDaemon;
  readonly calls: string[];
  publish(event: EventView): void;
}

/** A minimal daemon: one issue, a session on request, and whatever state the test sets. */
function aDaemon(state: { session: Partial<SessionView>; change: PullRequestView | null; refuse?: number }): Stand {
  const calls: string[] = [];
  const events: EventView[] = [];
  let wake: () => void = () => undefined;
  let isSpawned = false;
  const answer = (call: string): unknown => {
    if (call === "GET /api/projects/:id/issues") return { data: [{ id: "1" }] };
    if (call === "GET /api/sessions") return { data: isSpawned ? [demoSession("1", state.session)] : [] };
    if (call === "GET /api/pull-requests") return { data: state.change === null ? [] : [state.change] };
    return { data: [] };
  };
  const daemon: DemoDaemon = {
    call: async (call) => {
      if (call.startsWith("POST")) calls.push(call);
      if (call === "POST /api/sessions") isSpawned = true;
      if (call.endsWith("/review") && state.refuse !== undefined && state.refuse > 0) {
        state.refuse -= 1;
        throw new AoError({ code: "conflict", message: "it has moved on" });
      }
      return answer(call) as never;
    },
    events: async function* (signal) {
      const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      for (let at = 0; !signal.aborted; ) {
        const event = events[at];
        if (event === undefined) {
          const more = new Promise<void>((resolve) => {
            wake = resolve;
          });
          await Promise.race([more, gone]);
        } else {
          at += 1;
          yield event;
        }
      }
    },
  };
  const publish = (event: EventView): void => {
    events.push(event);
    wake();
  };
  return { daemon, calls, publish };
}

function play(
  stand: Stand,
  options: { readonly signal?: AbortSignal; readonly silenceMs?: number } = {},
): Promise<DemoEnd> {
  const screen = { show: () => undefined, tell: () => undefined };
  return runDemo({
    daemon: stand.daemon,
    forge: null,
    screen,
    signal: new AbortController().signal,
    thinkMs: 0,
    ...options,
  });
}

describe("the demo", () => {
  it("starts sessions, reviews, and ends when everything is merged and cleaned up", async () => {
    const state = { session: {}, change: demoChange("1") as PullRequestView | null };
    const stand = aDaemon(state);
    const over = play(stand);
    await expect.poll(() => stand.calls).toContain("POST /api/pull-requests/:project/:number/review");
    state.change = demoChange("1", { phase: "merged", status: "merged" });
    state.session = { status: "merged" };
    for (const type of ["pull-request.merged", "branch.settled", "issue.settled"] as const) {
      stand.publish(demoEvent("pull-request:garden/1", type));
    }
    expect(await over).toMatchObject({ how: "merged", summary: { merged: 1, stuck: [] } });
    expect(stand.calls[0]).toBe("POST /api/sessions");
  });

  it("retries a review if the pull request has moved on", async () => {
    const stand = aDaemon({ session: {}, change: demoChange("1"), refuse: 2 });
    const controller = new AbortController();
    const over = play(stand, { signal: controller.signal });
    await expect.poll(() => stand.calls.filter((call) => call.endsWith("/review")).length).toBeGreaterThanOrEqual(3);
    controller.abort();
    expect((await over).how).toBe("interrupted");
  });

  it("gives up after repeated rejections", async () => {
    await expect(play(aDaemon({ session: {}, change: demoChange("1"), refuse: 1000 }))).rejects.toThrow(
      "it has moved on",
    );
  });

  it("reports what is stuck when nothing happens any more", async () => {
    const stand = aDaemon({ session: { status: "exited", evidence: "gave up" }, change: null });
    const { how, summary } = await play(stand, { silenceMs: 20 });
    expect(how).toBe("stuck");
    expect(summary.stuck).toEqual(["garden-1 is exited: gave up"]);
  });
});
