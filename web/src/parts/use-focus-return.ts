import { useEffect, useState } from "react";

/** Returns the focus to what had it before a dialog opened; the dialog library does that only for its own triggers. */
export function useFocusReturn(): void {
  const [before] = useState(() => (typeof document === "undefined" ? null : document.activeElement));
  useEffect(
    () => () => {
      // Not before the dialog has released the focus.
      setTimeout(() => before instanceof HTMLElement && before.isConnected && before.focus());
    },
    [before],
  );
}
