import { normalizeIssue } from "../../../core/name.ts";

/** The number of an issue in any of its written forms: `42`, `#42`, `GH-42`, `042`; anything else stays as is. */
export function normalizeIssueId(written: string): string {
  const id = normalizeIssue(written);
  return /^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, "") : id;
}

/** The number at the start of a file's name, or null for a file that is not an issue. */
export function numberOfFile(name: string): number | null {
  const found = /^(\d{1,15})(?:[-_ .].*)?\.md$/su.exec(name);
  return found === null ? null : Number(found[1]);
}

/** The descriptive part of a file's name: letters and digits of any script, at most 50. */
export function slugOfTitle(title: string): string {
  const words = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+/, "");
  const cut = [...words].slice(0, 50).join("").replace(/-+$/, "");
  return cut === "" ? "issue" : cut;
}
