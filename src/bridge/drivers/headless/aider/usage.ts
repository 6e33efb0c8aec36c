import type { Usage } from "../../../driver.ts";

/**
 * What was used since the last line of this kind: `Tokens: 1.2k sent, 3.4k cache hit, 50 received. Cost: $0.01 message, $0.02
 * session.` What was sent has the cached tokens in it. The cost may be missing, or on a line of its own.
 */
export function readUsage(line: string, model: string | null): Usage | null {
  if (!/^(Tokens: .* received\.|Cost: \$)/.test(line)) return null;
  return {
    inputTokens: readCount(line, "sent"),
    cachedTokens: readCount(line, "cache hit"),
    outputTokens: readCount(line, "received"),
    costUsd: Number(/\bCost: \$([\d.]+) message\b/.exec(line)?.[1] ?? 0),
    model,
  };
}

/** The model in `Main model: NAME with diff edit format`. */
export function readModel(line: string): string | null {
  return /^(?:Main model|Model): (\S+) with .+ edit format/.exec(line)?.[1] ?? null;
}

// The program rounds: 950, 1.2k, 12k.
function readCount(line: string, kind: string): number {
  const [, count = "0", unit] = new RegExp(`([\\d.,]+)(k?) ${kind}\\b`).exec(line) ?? [];
  return Math.round(Number(count.replaceAll(",", "")) * (unit === "k" ? 1000 : 1));
}
