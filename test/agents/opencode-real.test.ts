import { describe } from "vitest";
import { DEATHS, describeDriverContract, TASK } from "./support/driver-contract.ts";
import { opencode, opencodeEnvironment } from "./support/opencode.ts";
import { isWhole } from "./support/programs.ts";

const LIMIT = 300_000;

describe.skipIf(opencode === null)("the real opencode", { timeout: LIMIT }, () => {
  describeDriverContract({
    name: "OpenCode",
    driver: "opencode",
    settings: () => ({ command: [opencode] }),
    environment: opencodeEnvironment,
    process: "serve",
    usage: "calls",
    // It tries again by itself after a 429 and a 500, without end.
    errors: [401],
    limitMs: LIMIT,
    ...(isWhole ? {} : { only: [TASK, DEATHS[0]] }),
  });
});
