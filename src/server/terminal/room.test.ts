import { describe, expect, it } from "vitest";
import { aSession, aWorld } from "../../testing/builders.ts";
import type { EngineView } from "../actions.ts";
import { createRooms } from "./room.ts";

/** A session whose run the test replaces, and its room. */
function openRoom() {
  let run = { n: 1, state: "starting" };
  let tell = (): void => undefined;
  let news = 0;
  const session = () => aSession({ id: "demo-1", run: { ...aSession().run, ...run } as never });
  const rooms = createRooms({
    engine: {
      get world() {
        return aWorld({ sessions: [session()] });
      },
      subscribe: (listener) => {
        tell = () => listener([{ stream: "session:demo-1" } as never]);
        return () => undefined;
      },
    } as Pick<EngineView, "world" | "subscribe">,
    sources: {
      fs: { stat: async () => null, readBytes: async () => null, watch: () => () => undefined },
      currentRun: async () =>
        run.state === "starting"
          ? null
          : { run: run.n, isAlive: run.state === "alive", folder: "/run", file: "/run/out", connect: null },
    },
  });
  return {
    enter: () =>
      rooms.enter("demo-1", () => {
        news += 1;
      }),
    become: async (n: number, state: string) => {
      run = { n, state };
      tell();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
    news: () => news,
  };
}

describe("the room of a session", () => {
  it("has nothing to show until the agent runs, then its run, even after a restart", async () => {
    const { enter, become, news } = openRoom();
    const room = await enter();
    expect(room.now()).toBeNull();
    await become(1, "alive");
    expect(room.now()?.run).toMatchObject({ run: 1, isAlive: true });
    await become(1, "ended");
    expect(room.now()?.run).toMatchObject({ run: 1, isAlive: false });
    await become(2, "starting");
    expect(room.now()).toBeNull();
    await become(2, "alive");
    expect(room.now()?.run).toMatchObject({ run: 2, isAlive: true });
    expect(news()).toBeGreaterThanOrEqual(4);
    room.leave();
  });
});
