interface Props {
  readonly added: number;
  readonly removed: number;
}

/** "+118 −22"; omits a side without lines. */
export function LineCounts({ added, removed }: Props) {
  return (
    <span className="small">
      {added > 0 || removed === 0 ? <span className="good">+{added}</span> : null}
      {added > 0 && removed > 0 ? " " : null}
      {removed > 0 ? <span className="bad">−{removed}</span> : null}
    </span>
  );
}
