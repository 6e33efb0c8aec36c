import { addTokens } from "../../../core/cost/usage.ts";
import type { Usage } from "../../driver.ts";
import type { Result, Tokens } from "./events.ts";

/** The driver's note about the last model call whose usage was reported. */
export const LAST_REPORTED = "claude.last-told";

/** The usage of a turn, by model. Older versions report only the cost of the process so far, and no model. */
export function readUsage(
  result: Result,
  known: { readonly costBefore: number; readonly model: string | null },
): readonly Usage[] {
  const models = result.model_usage_since_last_result;
  if (models == null) {
    const costUsd = Math.max(0, result.total_cost_usd - known.costBefore);
    return [{ ...toUsage(result.usage, known.model), costUsd }];
  }
  return Object.entries(models).map(([model, used]) => ({
    inputTokens: used.inputTokens + used.cacheReadInputTokens + used.cacheCreationInputTokens,
    cachedTokens: used.cacheReadInputTokens,
    outputTokens: used.outputTokens,
    costUsd: used.costUSD,
    model,
  }));
}

/** The program's own counts, which list cached tokens separately. */
export function toUsage(tokens: Tokens | null | undefined, model: string | null): Usage {
  return {
    inputTokens:
      (tokens?.input_tokens ?? 0) + (tokens?.cache_read_input_tokens ?? 0) + (tokens?.cache_creation_input_tokens ?? 0),
    cachedTokens: tokens?.cache_read_input_tokens ?? 0,
    outputTokens: tokens?.output_tokens ?? 0,
    costUsd: 0,
    model,
  };
}

/** One sum per model. */
export function sumByModel(usages: readonly Usage[]): readonly Usage[] {
  const sums = new Map<string | null, Usage>();
  for (const usage of usages) {
    const sum = sums.get(usage.model);
    sums.set(usage.model, sum === undefined ? usage : add(sum, usage));
  }
  return [...sums.values()];
}

function add(a: Usage, b: Usage): Usage {
  return { ...addTokens(a, b), costUsd: a.costUsd + b.costUsd, model: a.model };
}
