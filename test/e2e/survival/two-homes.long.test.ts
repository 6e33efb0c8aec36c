import { describe, expect, it } from "vitest";
import { makeFleet } from "../../support/fleet.ts";
import { ao } from "./ao.ts";
import { begin, open, reach, tell } from "./session.ts";

describe("two daemons, each with its own AO_HOME", () => {
  it("never touch each other's agents, even if their sessions have the same names", async () => {
    const [mine, other] = [await makeFleet(), await makeFleet()];
    await open(mine);
    await open(other);
    const a = await begin(mine, "one");
    const b = await begin(other, "one");
    expect(a.id).toBe(b.id);

    process.kill(a.run.pid ?? 0, "SIGKILL");
    await reach(mine, a.id, "at run 2", (session) => session.run.n === 2 && session.run.state === "alive");
    await mine.kill();
    await mine.start();
    await ao(mine, "stop", a.id);

    await tell(other, b.id, "are you still the same?");
    expect((await other.session(b.id)).run).toMatchObject({ n: 1, state: "alive", pid: b.run.pid });
  });
});
