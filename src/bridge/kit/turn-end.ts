import type { TurnEnd } from "../driver.ts";
import { withModelHint } from "./model-hint.ts";

/** The program's display name, and the sentence that explains how to log in. */
export interface VendorNames {
  readonly name: string;
  readonly login: string;
}

/** How a turn ended, from an agent's failure message. */
export function readFailure(words: string, names: VendorNames, now: Date): TurnEnd {
  if (/\b(401|403)\b|authentication|unauthori[sz]ed|invalid api key|not logged in/i.test(words)) {
    return noLogin(words, names);
  }
  const reason = `${names.name} failed: ${words}`;
  const isLimit = /\b429\b|rate.?limit|quota|too many requests|resource.?exhausted/i.test(words);
  if (isLimit) return { kind: "limited", until: readRetry(words, now), reason };
  return { kind: "failed", reason: withModelHint(reason) };
}

/** The turn failed because nobody is logged in. */
export function noLogin(words: string, { name, login }: VendorNames): TurnEnd {
  return { kind: "failed", reason: `${name} is not logged in: ${words} ${login}` };
}

function readRetry(words: string, now: Date): Date | null {
  const [, count, unit] = /(?:retry|again)\D{0,20}?(\d+(?:\.\d+)?)\s*(ms|s|m|h)?/i.exec(words) ?? [];
  if (count === undefined) return null;
  const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit?.toLowerCase() ?? "s"] ?? 1000;
  return new Date(now.getTime() + Number(count) * factor);
}
