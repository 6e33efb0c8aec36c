import type { CheckView } from "../../../src/protocol/views/pull-request.ts";

const WORDS: Readonly<Record<string, string>> = {
  passed: "",
  "timed-out": "timed out",
  "setup-failed": "setup failed",
  unknown: "ended with unknown result",
};

/** The state of a check in a few words; empty for a passed one. */
export function describeCheck({ state, code, phase }: Pick<CheckView, "state" | "code" | "phase">): string {
  if (state === "running") return phase === "set-up" ? "setting up" : "running";
  if (state === "failed") return code === null ? "failed" : `failed, exit ${code}`;
  return WORDS[state] ?? state;
}
