/** Spellings of other versions, each with its level. */
const SPELLINGS: Readonly<Record<string, "ask" | "edits" | "all">> = {
  default: "ask",
  suggest: "ask",
  "auto-edit": "edits",
  permissionless: "all",
  skip: "all",
};

/** The level that a spelling of `permissions` means. */
export function canonicalPermissions(written: string): string {
  return SPELLINGS[written] ?? written;
}
