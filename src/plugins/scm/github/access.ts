const WRITERS: readonly string[] = ["OWNER", "MEMBER", "COLLABORATOR"];

/** May somebody write to the repository, by what GitHub calls them there? */
export function accessBy(association: string | null | undefined): "write" | "none" {
  return WRITERS.includes(association ?? "") ? "write" : "none";
}
