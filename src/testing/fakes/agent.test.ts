import { describeAgentContract } from "../contracts/agent.contract.ts";
import { createFakeAgent } from "./agent.ts";

for (const input of ["inbox", "file"] as const) {
  describeAgentContract({
    name: `of the test bed (${input})`,
    create: () => createFakeAgent({ input }),
    createMissing: () => createFakeAgent({ input, missing: "no-such-program" }),
  });
}
