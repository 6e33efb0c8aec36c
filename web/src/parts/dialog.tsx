import "./dialog.css";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useFocusReturn } from "./use-focus-return.ts";

interface Props {
  readonly title: string;
  /** Content to the right of the title. */
  readonly aside?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog over the page: keeps the focus, closes with Esc. Load it lazily: its library is not part of the first load.
 */
export function Dialog({ title, aside, isOpen, onClose, children }: Props) {
  useFocusReturn();
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-overlay" />
        <Radix.Content className="dialog" aria-describedby={undefined}>
          <header className="dialog-header">
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            {aside}
            <Radix.Close className="dialog-close" aria-label="Close" title="Close (Esc)">
              <X size={16} aria-hidden="true" />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
