import type { SessionDetailView } from "./views/session.ts";

/** Whose untrusted text a session has read, and what it may still reach, in one line. */
export function describeUntrusted({
  from,
  via,
  onlyHosts,
  notRestricted,
}: NonNullable<SessionDetailView["untrusted"]>): string {
  const read = `${via === null ? "" : `based on the work of ${via}, which `}has read text from ${from}, who is not trusted`;
  if (onlyHosts !== null) {
    return `${read}; network restricted to ${onlyHosts.length === 0 ? "no hosts" : onlyHosts.join(", ")}`;
  }
  return notRestricted === null ? read : `${read}; network not restricted: ${notRestricted}`;
}
