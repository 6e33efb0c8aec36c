export type Density = "roomy" | "normal" | "dense" | "collapsed";

/** How much room a row gets, by the number of sessions. */
export function densityOf(sessions: number): Density {
  if (sessions <= 6) return "roomy";
  if (sessions <= 35) return "normal";
  return sessions <= 120 ? "dense" : "collapsed";
}

/** How high the parts of the list are, in pixels. */
export const HEIGHTS: Readonly<
  Record<Exclude<Density, "roomy">, { need: number; selectedNeed: number; row: number; header: number }>
> = {
  normal: { need: 46, selectedNeed: 46, row: 28, header: 30 },
  dense: { need: 27, selectedNeed: 44, row: 20, header: 24 },
  collapsed: { need: 27, selectedNeed: 44, row: 20, header: 24 },
};
