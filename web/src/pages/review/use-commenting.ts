import { useState } from "react";
import type { ChangeData } from "react-diff-view";

/** Whether the form for a comment is open; it belongs to the selected line. */
export function useCommenting(selected: ChangeData | null, isAllowed: boolean) {
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen: isOpen && selected !== null && isAllowed,
    open: () => setOpen(true),
    close: () => setOpen(false),
  };
}
