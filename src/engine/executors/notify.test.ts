import { describe, expect, it } from "vitest";
import { PluginError, type PluginErrorCategory } from "../../core/errors.ts";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { EffectDeps } from "../executor.ts";
import { notify } from "./notify.ts";

const host = createNodeHost({ log: createSilentLog() });
const NOTICE = { id: "n1", at: 0, key: "ci-failed", title: "Title", text: "Text" };

/** The engine parts that this executor uses, with a notifier that sends or fails. */
function depsWith(send: () => Promise<void>): EffectDeps {
  const parts: Partial<EffectDeps> = {
    host,
    notices: () => [{ ...NOTICE, priority: "action", projectId: null, sessionId: null, act: null }],
    notifierOf: async () => ({ send, preflight: async () => ({ ok: true, reason: null }) }),
  };
  return parts as EffectDeps;
}

function failing(category: PluginErrorCategory, retryAfterMs?: number): () => Promise<void> {
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs };
  return () => Promise.reject(new PluginError({ plugin: "webhook", category, message: category, ...pause }));
}

function execute(send: () => Promise<void>, urgent = false): Promise<unknown> {
  const spec = { kind: "notify", notifier: "hook", noticeIds: ["n1"], urgent } as const;
  return notify.execute(spec, "fleet/notify/n1/1", depsWith(send));
}

describe("notify", () => {
  it("reports a notice that was sent", async () => {
    expect(await execute(() => Promise.resolve())).toEqual({ kind: "notified" });
  });

  it("forwards the pause that the notifier asks for", async () => {
    expect(await execute(failing("rate-limited", 300_000))).toMatchObject({
      kind: "failed",
      code: "plugin-failed",
      retryAfterMs: 300_000,
    });
  });

  it.each(["config", "auth", "not-found"] as const)("gives up after a failure of kind %s", async (category) => {
    expect(await execute(failing(category))).toMatchObject({ kind: "failed", code: "config-invalid" });
  });

  it.each(["timeout", "unknown-outcome"] as const)("repeats only urgent notices after %s", async (category) => {
    expect(await execute(failing(category))).toEqual({ kind: "unknown", reason: category });
    expect(await execute(failing(category), true)).toMatchObject({ kind: "failed", code: "plugin-failed" });
  });
});
