import { useNow } from "../lib/now.ts";
import { formatAge, formatExact } from "../lib/time.ts";

interface Props {
  readonly at: string;
  readonly className?: string;
  /** Amber from this age on, in milliseconds. */
  readonly urgentAfter?: number;
  /** The tooltip's text before the exact time. */
  readonly about?: string;
}

/** How long ago something was. It updates itself, so that its row does not rerender. */
export function Ago({ at, className = "", urgentAfter = Number.POSITIVE_INFINITY, about }: Props) {
  const text = useNow((now) => formatAge(at, now));
  const isUrgent = useNow((now) => (now - Date.parse(at) >= urgentAfter ? 1 : 0));
  const title = about === undefined ? formatExact(at) : `${about}, ${formatExact(at)}`;
  return (
    <time dateTime={at} className={isUrgent === 1 ? `${className} you` : className} title={title}>
      {text}
    </time>
  );
}
