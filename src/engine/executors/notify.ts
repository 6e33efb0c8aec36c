import { PluginError } from "../../core/errors.ts";
import type { IntentOutcome } from "../../core/intent.ts";
import type { EffectDeps, Executor, SpecOf } from "../executor.ts";

/** Failures that a retry cannot fix. */
const LASTING = ["config", "auth", "not-found"];

/** Notifies a person. It cannot be verified afterwards: urgent notices may be sent twice, the rest at most once. */
export const notify: Executor<"notify"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: send,
  reconcile: async (spec) => (spec.urgent ? { kind: "not-done" } : { kind: "done", outcome: { kind: "notified" } }),
};

async function send(spec: SpecOf<"notify">, _intentId: string, deps: EffectDeps): Promise<IntentOutcome> {
  const notices = deps.notices(spec.noticeIds);
  if (notices.length === 0) return { kind: "notified" };
  try {
    await (await deps.notifierOf(spec.notifier)).send(notices);
    return { kind: "notified" };
  } catch (error) {
    deps.host.log.warn("a notice was not sent", { notifier: spec.notifier, reason: String(error) });
    if (!(error instanceof PluginError)) throw error;
    // It may have arrived; only an urgent one is worth repeating.
    const isDoubtful = error.category === "timeout" || error.category === "unknown-outcome";
    if (isDoubtful && !spec.urgent) return { kind: "unknown", reason: error.message };
    if (!LASTING.includes(error.category)) {
      const { message, retryAfterMs } = error;
      return { kind: "failed", code: "plugin-failed", message, hint: null, retryAfterMs };
    }
    return { kind: "failed", code: "config-invalid", message: error.message, hint: error.hint ?? null };
  }
}
