import type { DensityChoice } from "../../lib/density-choice.ts";

export type Density = "roomy" | "normal" | "dense" | "collapsed";

/** All roomy blocks are in the document, so their number is limited. */
const MOST_ROOMY = 60;

/** The row density: by the number of sessions, unless the person has chosen. */
export function densityOf(sessions: number, choice: DensityChoice = "auto"): Density {
  if (choice === "roomy") return sessions <= MOST_ROOMY ? "roomy" : "normal";
  if (choice !== "auto") return choice;
  if (sessions <= 6) return "roomy";
  if (sessions <= 35) return "normal";
  return sessions <= 120 ? "dense" : "collapsed";
}

/** The heights of the list's parts, in pixels. */
export const HEIGHTS: Readonly<
  Record<Exclude<Density, "roomy">, { need: number; selectedNeed: number; row: number; header: number }>
> = {
  normal: { need: 46, selectedNeed: 46, row: 28, header: 30 },
  dense: { need: 27, selectedNeed: 44, row: 20, header: 24 },
  collapsed: { need: 27, selectedNeed: 44, row: 20, header: 24 },
};
