import type { Style } from "../views/style.ts";

/** What rendering depends on besides the board's state. */
export interface RenderOptions {
  readonly now: number;
  readonly style: Style;
}
