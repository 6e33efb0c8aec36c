import { defineAcpAgent } from "../../../providers/acp/agent.ts";
import { PROFILES } from "../../../providers/acp/profiles.ts";

/** Kimi Code, driven by the Agent Client Protocol through the bridge. */
export const kimicode = defineAcpAgent(PROFILES.kimicode);
