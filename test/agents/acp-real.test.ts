import { describe } from "vitest";
import { ALL_AGENTS, type RealAgent } from "./support/acp-programs.ts";
import { DEATHS, describeDriverContract, TASK, UNLISTED } from "./support/driver-contract.ts";
import { isWhole } from "./support/programs.ts";

const MOST_IMPORTANT: readonly string[] = [TASK, DEATHS[0], UNLISTED];

// Real programs start slowly.
function chosen({ only }: RealAgent["contract"]): { readonly only?: readonly string[] } {
  if (only !== undefined) return { only };
  return isWhole ? {} : { only: MOST_IMPORTANT };
}

for (const { title, command, settings, contract } of ALL_AGENTS) {
  describe.skipIf(command === null)(`the real ${title}`, () => {
    describeDriverContract({
      ...contract,
      ...chosen(contract),
      name: title,
      driver: "acp",
      settings: () => ({ ...settings, command }),
    });
  });
}
