import type { TurnEnd } from "../driver.ts";
import { endOf, type VendorNames } from "./vendor-failure.ts";

/** How a turn ended, from an agent's failure message. */
export function readFailure(words: string, names: VendorNames, now: Date): TurnEnd {
  return endOf({ words, until: readRetry(words, now) }, names);
}

const SECOND_MS = 1000;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milliseconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60 * SECOND_MS],
  [/^(?:h|hrs?|hours?)$/, 3600 * SECOND_MS],
  [/^(?:d|days?)$/, 24 * 3600 * SECOND_MS],
  [/^(?:w|weeks?)$/, 7 * 24 * 3600 * SECOND_MS],
];
// Such a number is (part of) a clock time or a date, or counts months, and not how long to wait.
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
const BEFORE_A_TIME = new RegExp(`\\b(?:at\\b|on\\b|${MONTH})`, "i");
const AFTER_A_TIME = new RegExp(`^(?:[:/.-]\\d|\\s*(?:[ap]\\.?m\\b|(?:st|nd|rd|th)\\b|${MONTH}|month|year))`, "i");
const LONGEST_MS = 366 * 24 * 3600 * SECOND_MS;

function readRetry(words: string, now: Date): Date | null {
  const found = /(?:retry|again)(\D{0,20}?)(\d+(?:\.\d+)?)(?!\d)/i.exec(words);
  if (found === null) return null;
  const [whole, before = "", count] = found;
  const after = words.slice(found.index + whole.length);
  if (BEFORE_A_TIME.test(before) || AFTER_A_TIME.test(after)) return null;
  const unit = /^\s*([a-z]*)/i.exec(after)?.[1]?.toLowerCase() ?? "";
  const waitMs = Number(count) * (UNITS.find(([name]) => name.test(unit))?.[1] ?? SECOND_MS);
  return waitMs > LONGEST_MS ? null : new Date(now.getTime() + waitMs);
}
