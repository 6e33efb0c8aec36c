/** The part of a session needed to find it by its page. */
interface Listed {
  readonly id: string;
  readonly pullRequests: readonly { readonly key: string }[];
}

/** The session that a page is about: its own page, its pull request's review, or the selected row of a list. */
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
