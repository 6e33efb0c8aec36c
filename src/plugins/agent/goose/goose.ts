import { defineAcpAgent } from "../../../providers/acp/agent.ts";
import { PROFILES } from "../../../providers/acp/profiles.ts";

/** Goose, driven over the Agent Client Protocol through the bridge. */
export const goose = defineAcpAgent(PROFILES.goose);
