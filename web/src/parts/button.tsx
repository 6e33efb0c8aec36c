import "./button.css";
import type { ComponentProps, ReactNode } from "react";
import { KeyCap } from "./key-cap.tsx";
import { PageLink } from "./page-link.tsx";

interface Look {
  /** One primary button per focus; `waiting` is dashed and names what it waits for; `quiet` has no border. */
  readonly kind?: "default" | "primary" | "quiet" | "waiting";
  readonly size?: "row" | "verdict";
  /** The key that does the same, such as `Shift M`. */
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}

type ButtonProps = Look & Omit<ComponentProps<"button">, "children">;

export function Button({ kind = "default", size = "row", hint, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={classOf(kind, size, className)} {...rest}>
      {children}
      {hint === undefined ? null : <KeyCap keys={hint} isPlain />}
    </button>
  );
}

type LinkProps = Look & { readonly href: string; readonly className?: string; readonly "aria-label"?: string };

/** A link that looks like a button, because it opens a page. */
export function ButtonLink({ kind = "default", size = "row", hint, children, className, ...rest }: LinkProps) {
  return (
    <PageLink {...rest} className={classOf(kind, size, className)}>
      {children}
      {hint === undefined ? null : <KeyCap keys={hint} isPlain />}
    </PageLink>
  );
}

function classOf(kind: string, size: string, more = ""): string {
  return `button button-${kind} button-${size} ${more}`.trimEnd();
}
