import { oneOf } from "./url-state.ts";

const KEY = "ao.density";
const CHOICES = ["auto", "roomy", "normal", "dense"] as const;
export type DensityChoice = (typeof CHOICES)[number];

/** The row density chosen in this browser; the default depends on the number of sessions. */
export function readDensity(): DensityChoice {
  return oneOf(CHOICES, localStorage.getItem(KEY));
}

export function chooseDensity(choice: DensityChoice): void {
  if (choice === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
}
