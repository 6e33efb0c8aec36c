/** A time span in one state; without an end it is still open. */
export interface Segment<Kind> {
  readonly kind: Kind;
  readonly from: number;
  readonly to: number | null;
}

/** How many segments are kept; the oldest are dropped first. */
export const MAX_SEGMENTS = 60;

/** Anything shorter is not worth a segment. */
const BRIEF_MS = 1000;

/** Ends the last segment and starts one of another kind; null starts none. Adjacent equal ones are merged. */
export function enter<Kind>(
  segments: readonly Segment<Kind>[],
  kind: Kind | null,
  at: number,
): readonly Segment<Kind>[] {
  const last = segments.at(-1);
  const isOpen = last !== undefined && last.to === null;
  if (isOpen ? last.kind === kind : kind === null) return segments;
  const before = isOpen ? closeLast(segments, last, at) : segments;
  if (kind === null) return before;
  const previous = before.at(-1);
  const adjoins = previous !== undefined && previous.kind === kind && previous.to === at;
  const next = adjoins
    ? [...before.slice(0, -1), { ...previous, to: null }]
    : [...before, { kind, from: at, to: null }];
  return next.length <= MAX_SEGMENTS ? next : next.slice(-MAX_SEGMENTS);
}

function closeLast<Kind>(
  segments: readonly Segment<Kind>[],
  last: Segment<Kind>,
  at: number,
): readonly Segment<Kind>[] {
  const before = segments.slice(0, -1);
  if (at - last.from >= BRIEF_MS) return [...before, { ...last, to: at }];
  // The previous segment then lasts until now instead.
  const previous = before.at(-1);
  if (previous === undefined || previous.to !== last.from) return before;
  return [...before.slice(0, -1), { ...previous, to: at }];
}

/** The segments of a window, cut at its start. */
export function within<Kind>(segments: readonly Segment<Kind>[], since: number): readonly Segment<Kind>[] {
  return segments
    .filter(({ to }) => to === null || to > since)
    .map((segment) => (segment.from < since ? { ...segment, from: since } : segment));
}
