import type { World } from "../world.ts";
import type { PriceLists, Prices } from "./prices.ts";

/** When this list was last compared with the vendors' published prices. */
export const PRICES_DATE = "2026-10-10";

/**
 * List prices of well-known models. They give an estimate: vendors change them, and they ignore plans, discounts, cache
 * writes and more expensive long prompts.
 */
export const LIST_PRICES: Prices = {
  "claude-fable-5": { input: 10, cachedInput: 1, output: 50 },
  "claude-fable-5-1": { input: 10, cachedInput: 0.25, output: 50 },
  "claude-opus-5": { input: 5, cachedInput: 0.5, output: 25 },
  "claude-opus-5-5": { input: 4, cachedInput: 0.2, output: 20 },
  "claude-opus-4": { input: 5, cachedInput: 0.5, output: 25 },
  "claude-opus-4.5": { input: 5, cachedInput: 0.5, output: 25 },
  "claude-opus-4.6": { input: 5, cachedInput: 0.5, output: 25 },
  "claude-opus-4-0": { input: 15, cachedInput: 1.5, output: 75 },
  "claude-opus-4-1": { input: 15, cachedInput: 1.5, output: 75 },
  "claude-opus-4-20250514": { input: 15, cachedInput: 1.5, output: 75 },
  "claude-sonnet-5": { input: 2, cachedInput: 0.2, output: 10 },
  "claude-sonnet-4": { input: 3, cachedInput: 0.3, output: 15 },
  "claude-sonnet-4.5": { input: 3, cachedInput: 0.3, output: 15 },
  "claude-sonnet-4.6": { input: 3, cachedInput: 0.3, output: 15 },
  "claude-haiku-4-5": { input: 1, cachedInput: 0.1, output: 5 },
  "claude-haiku-4.5": { input: 1, cachedInput: 0.1, output: 5 },
  "gpt-5.6": { input: 4, cachedInput: 0.4, output: 20 },
  "gpt-5.6-terra": { input: 2, cachedInput: 0.2, output: 12 },
  "gpt-5.6-luna": { input: 0.2, cachedInput: 0.02, output: 1.2 },
  "gpt-5.5": { input: 5, cachedInput: 0.5, output: 30 },
  "gpt-5.5-pro": { input: 30, cachedInput: 30, output: 180 },
  "gpt-5.4": { input: 2.5, cachedInput: 0.25, output: 15 },
  "gpt-5.4-mini": { input: 0.75, cachedInput: 0.075, output: 4.5 },
  "gpt-5.4-nano": { input: 0.2, cachedInput: 0.02, output: 1.25 },
  "gpt-5.4-pro": { input: 30, cachedInput: 30, output: 180 },
  "gpt-5.3-codex": { input: 1.75, cachedInput: 0.175, output: 14 },
  "gpt-5.2": { input: 1.75, cachedInput: 0.175, output: 14 },
  "gpt-5.2-pro": { input: 21, cachedInput: 21, output: 168 },
  "gpt-5.1": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5.1-codex-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "gpt-5-pro": { input: 15, cachedInput: 15, output: 120 },
  "gpt-4.1": { input: 2, cachedInput: 0.5, output: 8 },
  "gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, output: 1.6 },
  "gemini-3.6-flash": { input: 1.5, cachedInput: 0.15, output: 7.5 },
  "gemini-3.5-flash": { input: 1.5, cachedInput: 0.15, output: 9 },
  "gemini-3.5-flash-lite": { input: 0.3, cachedInput: 0.03, output: 2.5 },
  "gemini-3.1-pro": { input: 2, cachedInput: 0.2, output: 12 },
  "gemini-3.1-flash-lite": { input: 0.25, cachedInput: 0.025, output: 1.5 },
  "gemini-3-pro": { input: 2, cachedInput: 0.2, output: 12 },
  "gemini-3-flash": { input: 0.5, cachedInput: 0.05, output: 3 },
  "gemini-2.5-pro": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gemini-2.5-flash": { input: 0.3, cachedInput: 0.03, output: 2.5 },
  "gemini-2.5-flash-lite": { input: 0.1, cachedInput: 0.01, output: 0.4 },
};

/** The user's own prices, and this list. */
export function pricesOf(world: World): PriceLists {
  return { own: world.fleet().prices ?? {}, listed: LIST_PRICES };
}
