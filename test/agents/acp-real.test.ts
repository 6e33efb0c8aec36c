import { describe } from "vitest";
import { PROFILES } from "../../src/providers/acp/profiles.ts";
import { REAL_AGENTS } from "./support/acp-programs.ts";
import { DEATHS, describeDriverContract, TASK } from "./support/driver-contract.ts";
import { isWhole } from "./support/programs.ts";

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
