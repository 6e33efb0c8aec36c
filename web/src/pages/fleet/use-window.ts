import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { nextWindow, type Window } from "../../lib/axis.ts";
import { useParam } from "../../lib/url-state.ts";

/** Changes the time window, also with `w`. */
export function useWindow(window: Window): () => void {
  const [, setWindow] = useParam("w");
  const change = (): void => setWindow(nextWindow(window), { replace: true });
  useShortcuts({ window: change });
  return change;
}
