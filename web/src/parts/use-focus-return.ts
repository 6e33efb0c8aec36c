import { useEffect, useState } from "react";

/** Gives the focus back to what had it before a dialog opened; the library behind dialogs does that only for triggers of its own. */
export function useFocusReturn(): void {
  const [before] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
  useEffect(
    () => () => {
      // Not before the dialog has let go of the focus.
      setTimeout(() => before instanceof HTMLElement && before.isConnected && before.focus());
    },
    [before],
  );
}
