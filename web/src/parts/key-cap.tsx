import "./key-cap.css";

interface Props {
  /** Keys with spaces between them, such as `Ctrl K` or `g f`. */
  readonly keys: string;
  /** Without a border, inside a button that has one. */
  readonly isPlain?: boolean;
}

/** The key for an action. Screen readers get it from `aria-keyshortcuts` or the help, so they skip it here. */
export function KeyCap({ keys, isPlain = false }: Props) {
  return (
    <span className={isPlain ? "key-cap key-cap-plain" : "key-cap"} aria-hidden="true">
      {keys}
    </span>
  );
}
