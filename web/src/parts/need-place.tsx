import { useQuery } from "@tanstack/react-query";
import { inboxQuery } from "../data/queries.ts";
import { KeyCap } from "./key-cap.tsx";

/** "2 of 8 need you": a session's position among what needs a person. */
export function NeedPlace({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery(inboxQuery());
  const entries = data?.data ?? [];
  if (entries.length === 0) return null;
  const place = entries.findIndex((entry) => entry.sessionId === sessionId);
  return (
    <span className="need-place small ink-3">
      {place === -1 ? `${entries.length} need you` : `${place + 1} of ${entries.length} need you`} <KeyCap keys="[" />{" "}
      <KeyCap keys="]" />
    </span>
  );
}
