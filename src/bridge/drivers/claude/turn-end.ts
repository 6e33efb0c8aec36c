import type { TurnEnd, Usage } from "../../driver.ts";
import type { Result, Tokens } from "./events.ts";

/** How a turn ended. The subtype alone says nothing: a failed request is a "success" with `is_error`. */
export function readEnd(
  result: Result,
  known: { readonly isInterrupted: boolean; readonly resetsAt: Date | null },
): TurnEnd {
  if (known.isInterrupted && (result.is_error || result.subtype !== "success")) return { kind: "interrupted" };
  if (!result.is_error && result.subtype === "success") return { kind: "finished", summary: result.result };
  const reason = firstLine(result.result) || firstLine(result.errors.join(" ")) || result.subtype;
  const status = result.api_error_status;
  if (status === 429 || isUsageLimit(reason)) {
    return { kind: "limited", until: known.resetsAt ?? readReset(reason), reason };
  }
  if (status === 401 || status === 403 || /not logged in/i.test(reason)) {
    const fix = "Log in by running `claude` once, or set ANTHROPIC_API_KEY.";
    return { kind: "failed", reason: `Claude Code is not logged in (${reason}). ${fix}` };
  }
  return { kind: "failed", reason: `Claude Code failed: ${reason}` };
}

function isUsageLimit(reason: string): boolean {
  return /usage limit reached|hit your (\w+ )?limit/i.test(reason);
}

// Some versions put the time, in seconds, behind a bar.
function readReset(reason: string): Date | null {
  const seconds = /\|(\d{10})\b/.exec(reason)?.[1];
  return seconds === undefined ? null : new Date(Number(seconds) * 1000);
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

/** What a turn used. Older versions tell only what the process has cost so far. */
export function readUsage(result: Result, costBefore: number): Usage {
  const models = result.model_usage_since_last_result;
  if (models == null) return { ...toUsage(result.usage), costUsd: Math.max(0, result.total_cost_usd - costBefore) };
  return Object.values(models)
    .map((model) => ({
      inputTokens: model.inputTokens + model.cacheReadInputTokens + model.cacheCreationInputTokens,
      outputTokens: model.outputTokens,
      costUsd: model.costUSD,
    }))
    .reduce(addUsage, NOTHING);
}

export const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

/** The program's own counts, which keep cached tokens apart. */
export function toUsage(tokens: Tokens | null | undefined): Usage {
  if (tokens == null) return NOTHING;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = tokens;
  return {
    inputTokens: input_tokens + cache_read_input_tokens + cache_creation_input_tokens,
    outputTokens: output_tokens,
    costUsd: 0,
  };
}
