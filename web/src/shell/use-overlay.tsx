import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { Overlay, OverlayKind } from "./overlay.tsx";

const load = () => import("./overlay.tsx");

interface Shown {
  readonly kind: OverlayKind;
  readonly Content: typeof Overlay;
}

/**
 * The overlay, and how to open it. Its code is loaded once the page is idle, and always before it is shown: a suspended
 * part would have to wait for a pause between the updates of a busy fleet.
 */
export function useOverlay(): readonly [ReactNode, (kind: OverlayKind) => void] {
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useCallback((kind: OverlayKind) => {
    void load().then((loaded) => setShown({ kind, Content: loaded.Overlay }));
  }, []);
  useEffect(() => {
    const idle = requestIdleCallback(() => void load());
    return () => cancelIdleCallback(idle);
  }, []);
  if (shown === null) return [null, show];
  const { kind, Content } = shown;
  return [<Content key={kind} kind={kind} onClose={() => setShown(null)} onHelp={() => show("help")} />, show];
}
