import { defineAcpAgent } from "../../../providers/acp/agent.ts";
import { PROFILES } from "../../../providers/acp/profiles.ts";

/** OpenCode, driven by the Agent Client Protocol through the bridge. */
export const opencode = defineAcpAgent(PROFILES.opencode);
