export interface Dot {
  readonly x: number;
  /** 0 is the lowest of its column. */
  readonly level: number;
}

/** Stacks each value on top of those at about the same place on the axis. */
export function stackDots(places: readonly number[], step: number): readonly Dot[] {
  const heights = new Map<number, number>();
  return places.map((place) => {
    const column = Math.round(place / step);
    const level = heights.get(column) ?? 0;
    heights.set(column, level + 1);
    return { x: column * step, level };
  });
}
