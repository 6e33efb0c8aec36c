import { useNow } from "../lib/now.ts";
import { formatAge, formatExact } from "../lib/time.ts";

interface Props {
  readonly at: string;
  readonly className?: string;
  /** Amber from this age on, in milliseconds. */
  readonly urgentAfter?: number;
  /** What the tooltip says before the exact time. */
  readonly about?: string;
}

/** How long ago something was. It counts by itself, so that its row is not rendered again. */
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
