import type { SessionDetailView } from "./views/session.ts";

/** What an agent that has read untrusted text may still reach, in one line. */
export function describeUntrusted({
  from,
  onlyHosts,
  notRestricted,
}: NonNullable<SessionDetailView["untrusted"]>): string {
  const read = `has read text of ${from}, who is not trusted`;
  if (onlyHosts !== null) {
    return `${read}; network restricted to ${onlyHosts.length === 0 ? "no hosts" : onlyHosts.join(", ")}`;
  }
  return notRestricted === null ? read : `${read}; network not restricted: ${notRestricted}`;
}
