import { useState } from "react";
import type { ChangeData } from "react-diff-view";

/** Is the comment form open? It belongs to the selected line. */
export function useCommenting(selected: ChangeData | null, isAllowed: boolean) {
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen: isOpen && selected !== null && isAllowed,
    open: () => setOpen(true),
    close: () => setOpen(false),
  };
}
