import { describe } from "vitest";
import { DEATHS, describeDriverContract, TASK } from "./support/driver-contract.ts";
import { OPENCODE_FACTS, opencode } from "./support/opencode.ts";
import { isWhole } from "./support/programs.ts";

const LIMIT = 300_000;

describe.skipIf(opencode === null)("the real opencode", () => {
  describeDriverContract({
    name: "OpenCode",
    ...OPENCODE_FACTS,
    limitMs: LIMIT,
    ...(isWhole ? {} : { only: [TASK, DEATHS[0]] }),
  });
});
