/** What is needed of a session to find it by the page it is on. */
interface Listed {
  readonly id: string;
  readonly pullRequests: readonly { readonly key: string }[];
}

/** The session that a page is about: its own page, the review of its pull request, or the selected row of a list. */
export function sessionHere<Session extends Listed>(
  sessions: readonly Session[],
  path: string,
  search: string,
): Session | null {
  const [, page, name = "", kind, number] = path.split("/").map(decodeURIComponent);
  if (page === "p" && kind === "pr") {
    const key = `${name}/${number}`;
    return sessions.find(({ pullRequests }) => pullRequests.some((one) => one.key === key)) ?? null;
  }
  const id = page === "s" ? name : new URLSearchParams(search).get("sel");
  return sessions.find((session) => session.id === id) ?? null;
}
