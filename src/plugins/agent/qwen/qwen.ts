import { defineAcpAgent } from "../../../providers/acp/agent.ts";
import { PROFILES } from "../../../providers/acp/profiles.ts";

/** Qwen Code, driven over the Agent Client Protocol through the bridge. */
export const qwen = defineAcpAgent(PROFILES.qwen);
