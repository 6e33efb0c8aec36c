import { oneOf } from "./url-state.ts";

const KEY = "ao.density";
const CHOICES = ["auto", "roomy", "normal", "dense"] as const;
export type DensityChoice = (typeof CHOICES)[number];

/** How much room the rows of the fleet get in this browser; by default that follows from how many there are. */
export function readDensity(): DensityChoice {
  return oneOf(CHOICES, localStorage.getItem(KEY));
}

export function chooseDensity(choice: DensityChoice): void {
  if (choice === "auto") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
}
