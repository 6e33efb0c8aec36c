import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENFORCED_FILE, encodeLimit, LIMIT_FILE, LIMIT_FOLDER } from "../../core/sandbox.ts";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeMachine } from "../../testing/fakes/host.ts";
import { restrictNetwork } from "./restrict-network.ts";

const RUN = "/runs/1";
const HOSTS = ["api.example.com"];

function begin() {
  const clock = createFakeClock(0);
  const { host } = createFakeMachine({ clock });
  const enforced = join(RUN, LIMIT_FOLDER, ENFORCED_FILE);
  return {
    host,
    clock,
    asked: () => host.fs.readText(join(RUN, LIMIT_FOLDER, LIMIT_FILE)),
    confirm: (hosts: readonly string[] | null) => host.fs.writeText(enforced, encodeLimit(hosts)),
  };
}

describe("restricting the network of a running sandbox", () => {
  it("ends once its proxy confirms exactly these hosts", async () => {
    const { host, clock, asked, confirm } = begin();
    let answer: boolean | null = null;
    const done = restrictNetwork(host, RUN, HOSTS).then((isEnforced) => {
      answer = isEnforced;
    });
    await clock.advance(500);
    expect(await asked()).toBe(encodeLimit(HOSTS));
    await confirm(null);
    await clock.advance(500);
    expect(answer).toBeNull();
    await confirm(HOSTS);
    await clock.advance(500);
    await done;
    expect(answer).toBe(true);
  });

  it("fails after ten seconds if nothing confirms it", async () => {
    const { host, clock } = begin();
    let answer: boolean | null = null;
    void restrictNetwork(host, RUN, HOSTS).then((isEnforced) => {
      answer = isEnforced;
    });
    const pass = async (seconds: number): Promise<void> => {
      for (let step = 0; step < seconds * 10; step += 1) await clock.advance(100);
    };
    await pass(9);
    expect(answer).toBeNull();
    await pass(2);
    expect(answer).toBe(false);
  });
});
