import { useRef } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { StateMark } from "../../parts/state-mark.tsx";

/** The mark of a session; it blinks once when its agent sends a signal. */
export function LiveMark({ session }: { readonly session: SessionView }) {
  const first = useRef(session.lastSignalAt);
  const hasNews = session.lastSignalAt !== first.current;
  return (
    <span key={session.lastSignalAt} className={hasNews ? "row-mark row-mark-news" : "row-mark"}>
      <StateMark of={session} />
    </span>
  );
}
