import type { Executor } from "../executor.ts";

/** Takes hosts from a running agent, or gives them back; doing it twice is fine, so repeating it reconciles. */
export const restrictNetwork: Executor<"restrict-network"> = {
  survivesDaemon: false,
  concurrency: 16,
  execute: async ({ sessionId, run, hosts }, _intentId, deps) => {
    const isEnforced = await deps.restrictNetwork(deps.runDir(sessionId, run), hosts);
    deps.faultPoint("restrict-network: after it is enforced");
    if (isEnforced) return { kind: "network-restricted" };
    const message = "The proxy of the sandbox did not confirm the hosts that the agent may reach.";
    return { kind: "failed", code: "timeout", message, hint: null };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
