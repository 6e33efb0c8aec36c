import { defineAcpAgent } from "../../../providers/acp/agent.ts";
import { PROFILES } from "../../../providers/acp/profiles.ts";

/** Gemini CLI, driven over the Agent Client Protocol through the bridge. */
export const gemini = defineAcpAgent(PROFILES.gemini);
