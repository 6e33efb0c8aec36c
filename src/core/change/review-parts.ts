import { fence, groupTexts, joinTexts } from "../reaction/template.ts";
import type { StoredText } from "../text.ts";

/** How many messages one attempt takes at most; once these points are answered, the next attempt has the others. */
export const MAX_PARTS = 40;

/** The points of a review as data, in as many messages as they need. */
export function inParts(reviewer: string, points: readonly StoredText[], mark: string): readonly StoredText[] {
  const groups = groupTexts(points);
  const sent = groups.slice(0, MAX_PARTS);
  const unsent = groups.slice(MAX_PARTS).flat().length;
  const fenced = (some: readonly StoredText[]): StoredText => fence(`review by ${reviewer}`, joinTexts(some), mark);
  if (sent.length === 0) return [fenced([])];
  let first = 1;
  return sent.map((group, at) => {
    const left = sent.length - at - 1;
    const title = titleOf({ first, count: group.length, of: points.length, left });
    first += group.length;
    const isCut = left === 0 && unsent > 0;
    const more = isCut ? `${unsent} more points follow once you have answered these in their threads.\n` : "";
    return joinTexts([{ inline: title }, fenced(group), { inline: more }]);
  });
}

interface Part {
  readonly first: number;
  readonly count: number;
  readonly of: number;
  /** Messages that follow. */
  readonly left: number;
}

function titleOf({ first, count, of, left }: Part): string {
  if (count === of) return "";
  const rest = left === 0 ? "" : left === 1 ? "; the next message has the others" : `; ${left} more messages follow`;
  const which = count === 1 ? `Point ${first}` : `Points ${first} to ${first + count - 1}`;
  return `${which} of ${of}${rest}.\n`;
}
