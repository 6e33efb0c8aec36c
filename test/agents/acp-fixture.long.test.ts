import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PROFILES } from "../../src/providers/acp/profiles.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { makePlace, startBridge } from "./support/bridge.ts";
import { DEATHS, type DriverContract, describeDriverContract, TASK } from "./support/driver-contract.ts";
import { isWhole } from "./support/programs.ts";
import { describeUnknownMessage } from "./support/unknown-message.ts";

const program = fileURLToPath(new URL("../fixtures/agents/acp-agent.mjs", import.meta.url));

function aFixture(name: string, flags: readonly string[], more: Partial<DriverContract> = {}): DriverContract {
  return {
    name,
    driver: "acp",
    settings: () => ({ name: "Made", command: [process.execPath, program, ...flags], usage: "process" }),
    environment: (_, model) => ({ MODEL_URL: model.url }),
    process: "acp-agent.mjs",
    usage: "turns",
    errors: [401, 429, 500],
    limitMs: PATIENCE_MS,
    ...more,
  };
}

/** The first fixture runs the whole contract every time; for one that only starts or reports usage differently, this shows the difference. */
const SAMPLE = isWhole ? {} : { only: [TASK, ...DEATHS.slice(0, 1)] };

describeDriverContract(aFixture("an agent that nobody has heard of", []));
describeDriverContract(
  aFixture("an agent that prints other things, and tells tokens of each call", ["--noisy", "--usage=call"], {
    usage: "calls",
    ...SAMPLE,
  }),
);
describeDriverContract(
  aFixture("an agent that cannot load a conversation", ["--no-load"], { forgets: true, only: DEATHS }),
);
describeDriverContract(aFixture("an agent that fails to load it", ["--forgets"], { forgets: true, only: DEATHS }));
describeDriverContract(
  aFixture("an agent that answers before it has replayed a conversation", ["--late-replay"], {
    settings: () => ({
      ...{ name: "Made", command: [process.execPath, program, "--late-replay"], usage: "process" },
      replaysLate: true,
    }),
    only: DEATHS,
  }),
);
// Goose is not available here: this is the fixture agent with Goose's specifics.
describeDriverContract(
  aFixture("a stand-in for Goose", [], {
    settings: () => ({
      ...PROFILES.goose.dialect,
      name: PROFILES.goose.title,
      command: [process.execPath, program, ...PROFILES.goose.args, "--usage=turn"],
    }),
    ...SAMPLE,
  }),
);

describeUnknownMessage("acp", { name: "Made", command: [process.execPath, program] });

describe("an agent that fails to start", () => {
  it.each([
    ["is not there", ["no-such-agent"], /Made \(no-such-agent\) is gone: could not be started/],
    ["ends at once", [process.execPath, "-e", "console.error('no key'); process.exit(3)"], /exit code 3: no key/],
    ["never answers", [process.execPath, program, "--mute", "--noisy"], /did not answer \(initialize\) within 2 s/],
    ["speaks something else", ["cat"], /did not answer|no known version|is not offered/],
  ])("is reported in one sentence if it %s", async (what, command, sentence) => {
    // Only silence is measured by the clock: on a busy machine a program may start slowly.
    const startLimitMs = what === "ends at once" ? PATIENCE_MS : 2000;
    const bridge = startBridge(makePlace(), "acp", { name: "Made", command, startLimitMs });
    const { code, stderr } = await bridge.over;
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(bridge.said()).toContainEqual(
      expect.objectContaining({ state: "errored", note: expect.stringMatching(sentence) }),
    );
  });
});
