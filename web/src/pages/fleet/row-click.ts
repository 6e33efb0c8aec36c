import type { MouseEvent } from "react";

/** What keeps its own clicks inside a row. */
const CONTROLS = "a, button, input, textarea, select, label, summary";

/**
 * A handler for clicks on a row as a whole. A click on a link or a button in it belongs to that alone: a link has already changed the
 * address when the row hears of the click.
 */
export function onRowClick(act: () => void): (event: MouseEvent<HTMLElement>) => void {
  return ({ target, defaultPrevented }) => {
    const isOnControl = target instanceof Element && target.closest(CONTROLS) !== null;
    if (!defaultPrevented && !isOnControl) act();
  };
}
