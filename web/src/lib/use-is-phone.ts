import { useSyncExternalStore } from "react";

const PHONE = "(max-width: 719px)";

/** Is the page narrow enough for the phone layout? */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
