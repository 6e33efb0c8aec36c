import { PluginError } from "../../core/errors.ts";
import type { Notice, Notifier } from "../../ports/notifier.ts";

export interface NotifierWorld {
  readonly notifier: Notifier;
  /** What arrived, one entry per notification. */
  readonly delivered: (readonly Notice[])[];
  /** From now on every delivery fails. */
  breakDown(): void;
}

/** A notifier whose receiver keeps everything in memory. */
export function createFakeNotifier(): NotifierWorld {
  const delivered: (readonly Notice[])[] = [];
  let broken = false;
  return {
    delivered,
    breakDown: () => {
      broken = true;
    },
    notifier: {
      send: async (notices) => {
        if (broken) throw new PluginError({ plugin: "fake", category: "unavailable", message: "nobody is there" });
        if (notices.length > 0) delivered.push(notices);
      },
      preflight: async () => (broken ? { ok: false, reason: "nobody is there" } : { ok: true, reason: null }),
    },
  };
}
