import { describe } from "vitest";
import { PROFILES } from "../../src/providers/acp/profiles.ts";
import { REAL_AGENTS } from "./support/acp-programs.ts";
import { DEATHS, describeDriverContract, TASK } from "./support/driver-contract.ts";

// Each starts slowly, so `npm test` has the two that matter most; `npm run test:agents` has all.
const isWhole = [process.env["AO_TEST_AGENTS_REQUIRED"], process.env["AO_TEST_FULL"]].includes("1");
const only = isWhole ? {} : { only: [TASK, DEATHS[0]] };

for (const { plugin, program, contract } of REAL_AGENTS) {
  const profile = PROFILES[plugin];
  const { environment, ...rest } = contract;
  describe.skipIf(program === null)(`the real ${plugin}`, () => {
    describeDriverContract({
      ...rest,
      ...only,
      name: profile.title,
      driver: "acp",
      settings: () => ({
        ...profile.dialect,
        name: profile.title,
        login: profile.login,
        command: [program, ...profile.args],
      }),
      environment: (place, model) => ({
        ...profile.environment({ permissions: "ask", deny: [] }),
        ...environment(place, model),
      }),
    });
  });
}
