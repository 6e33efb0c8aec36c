import type { Style } from "../views/style.ts";

/** What a picture of the board depends on beside its state. */
export interface RenderOptions {
  readonly now: number;
  readonly style: Style;
}
