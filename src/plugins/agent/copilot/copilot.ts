import { defineAcpAgent } from "../../../providers/acp/agent.ts";
import { PROFILES } from "../../../providers/acp/profiles.ts";

/** GitHub Copilot CLI, driven over the Agent Client Protocol through the bridge. */
export const copilot = defineAcpAgent(PROFILES.copilot);
