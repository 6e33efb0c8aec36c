const WRITERS: readonly string[] = ["OWNER", "MEMBER", "COLLABORATOR"];

/** Does someone have write access to the repository, according to GitHub's association? */
export function accessBy(association: string | null | undefined): "write" | "none" {
  return WRITERS.includes(association ?? "") ? "write" : "none";
}
