import { isTrusted, type Said } from "../change/trust.ts";
import type { NetworkLimit } from "../network-limit.ts";
import type { TrustPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";

/** Who wrote the issue of a new session, if that person is not trusted: whoever starts it passes the text on. */
export function strangerOf(
  { policy }: Pick<ProjectState, "policy">,
  { issueAuthor }: { readonly issueAuthor?: Said },
): string | null {
  return issueAuthor === undefined || isTrusted(issueAuthor, policy?.trust) ? null : issueAuthor.author;
}

/** What follows for a session whose agent gets the text of an issue by somebody who is not trusted; null: nothing. */
export function describeUntrustedIssue(
  issue: string,
  said: Said | null,
  { trust, limit }: { readonly trust: TrustPolicy | undefined; readonly limit: NetworkLimit },
): string | null {
  if (said === null || isTrusted(said, trust)) return null;
  const why = said.access === "none" ? "has no write access" : "is not trusted in this project";
  const follows = [
    "Its agent gets the text marked as data.",
    ...(trust?.autoMerge === true ? [] : ["ao merges its pull requests only when you ask for it."]),
    ...(trust?.push === false ? ["Each of its commits waits for `ao pass` before it is pushed."] : []),
    ...(limit.kind === "hosts" ? [`Its network is restricted to ${limit.hosts.join(", ") || "no hosts"}.`] : []),
  ];
  return `Issue ${issue} was written by ${said.author}, who ${why}. ${follows.join(" ")}`;
}
