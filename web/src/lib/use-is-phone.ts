import { useSyncExternalStore } from "react";

const PHONE = "(max-width: 719px)";
/** A table needs more width than this for a need beside its buttons, and the bar for its words. */
const NARROW = "(max-width: 959px)";

/** Is the page narrow enough for the phone layout? */
export function useIsPhone(): boolean {
  return useMatch(PHONE);
}

/** Is it too narrow for tables and for words beside icons? */
export function useIsNarrow(): boolean {
  return useMatch(NARROW);
}

function useMatch(media: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(media);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => matchMedia(media).matches,
  );
}
