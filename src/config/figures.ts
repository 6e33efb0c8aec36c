/** The default numbers; schema, help and normalization all read them here. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const FIGURES = {
  /** Falls back to the next free port unless the port was configured. */
  port: 3000,
  host: "127.0.0.1",
  parallelAgents: 5,
  autoAssign: false,
  retries: 2,
  reruns: 1,
  escalateAfterMs: 30 * MINUTE,
  agentIdleMs: 5 * MINUTE,
  agentStuckMs: 10 * MINUTE,
  hibernateAfterMs: 10 * MINUTE,
  approvals: 1,
  trainBatch: 1,
  mainGuard: "notify",
  checkTimeoutMs: 10 * MINUTE,
  hookTimeoutMs: 60 * SECOND,
  pollingRunningMs: 15 * SECOND,
  pollingQuietMs: 60 * SECOND,
  pollingIdleMs: 5 * MINUTE,
} as const;
