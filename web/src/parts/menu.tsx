import "./menu.css";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { KeyCap } from "./key-cap.tsx";

export interface MenuItem {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

interface Props {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
}

/** Actions behind a button. Load it lazily: its library is not part of the first load. */
export function Menu({ trigger, items }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align="end" sideOffset={4}>
          {items.map(({ label, hint, isDisabled = false, onSelect }) => (
            <Radix.Item key={label} className="menu-item" disabled={isDisabled} onSelect={onSelect}>
              {label}
              {hint === undefined ? null : <KeyCap keys={hint} isPlain />}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
