import { describe } from "vitest";
import { ADAPTERS, REAL_AGENTS, type RealAgent } from "./support/acp-programs.ts";
import { DEATHS, describeDriverContract, TASK, UNLISTED } from "./support/driver-contract.ts";
import { isWhole } from "./support/programs.ts";

const MOST_IMPORTANT: readonly string[] = [TASK, DEATHS[0], UNLISTED];

// Real programs start slowly.
function chosen({ only }: RealAgent["contract"]): { readonly only?: readonly string[] } {
  if (only !== undefined) return { only };
  return isWhole ? {} : { only: MOST_IMPORTANT };
}

for (const { program, title, command, settings, contract } of [...REAL_AGENTS, ...ADAPTERS]) {
  describe.skipIf(command === null)(`the real ${title}`, () => {
    describeDriverContract({
      ...contract,
      ...chosen(contract),
      name: title,
      program,
      driver: "acp",
      settings: () => ({ ...settings, command }),
    });
  });
}
