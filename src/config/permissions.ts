/** Spellings of other versions, each with the level it stands for. */
const SPELLINGS: Readonly<Record<string, "ask" | "edits" | "all">> = {
  default: "ask",
  suggest: "ask",
  "auto-edit": "edits",
  permissionless: "all",
  skip: "all",
};

/** The level of `permissions` that a spelling stands for. */
export function canonicalPermissions(written: string): string {
  return SPELLINGS[written] ?? written;
}
