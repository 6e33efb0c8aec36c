import { useState } from "react";
import type { ViewType } from "react-diff-view";

/** From this width on both versions fit side by side. */
const SPLIT_FROM = 1600;

/** One column or two: by the window's width, until the user chooses. */
export function useView(): { readonly view: ViewType; readonly toggleView: () => void } {
  const [view, setView] = useState<ViewType>(() => (window.innerWidth >= SPLIT_FROM ? "split" : "unified"));
  return { view, toggleView: () => setView(view === "split" ? "unified" : "split") };
}
