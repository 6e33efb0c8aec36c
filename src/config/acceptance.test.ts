import { expect, it } from "vitest";
import { type AcceptedFile, type FoundFile, originOf } from "./acceptance.ts";

type Git = NonNullable<FoundFile["git"]>;

const accepted: AcceptedFile = { text: "old", committed: "c-old" };
const atRest: Git = { committed: "c-old", committedText: "old", staged: "c-old", isStored: false, isLocked: false };
const brought: Git = { committed: "c-new", committedText: "new", staged: "c-new", isStored: true, isLocked: false };

it.each<[string, string, Partial<Git> | null, AcceptedFile | null, string]>([
  ["the text in force", "old", brought, accepted, "unchanged"],
  ["an edit in a repository that never had the file", "new", { committed: null, staged: null }, null, "own"],
  ["an edit of a file that is in force as committed", "new", {}, accepted, "own"],
  ["an edit after a person committed the text in force", "new", { committed: "c-2", staged: "c-2" }, accepted, "own"],
  ["a file outside every repository", "new", null, null, "own"],
  ["a file that a merge, pull or checkout brought", "new", brought, accepted, "brought"],
  ["a file that a clone brought", "new", brought, null, "brought"],
  ["a file that git is writing now", "new", { isLocked: true }, accepted, "changing"],
  ["a file between the new index and the new HEAD", "new", { staged: "c-new" }, accepted, "brought"],
  ["a text that some commit has", "new", { isStored: true }, accepted, "brought"],
  [
    "an edit on top of a commit that nobody accepted",
    "newer",
    { ...brought, committedText: "new", isStored: false },
    accepted,
    "brought",
  ],
  [
    "a text that a filter made of what HEAD has",
    "smudged",
    { ...brought, committedText: "version https://git-lfs", isStored: false },
    accepted,
    "brought",
  ],
])("%s", (_, text, git, before, origin) => {
  const found = { text, git: git === null ? null : { ...atRest, ...git } };
  expect(originOf(found, before)).toBe(origin);
});

it("the line ends that git stores make no difference", () => {
  const own: AcceptedFile = { text: "a\r\nb\r\n", committed: "c-old" };
  const found = { ...atRest, committed: "c-2", committedText: "a\nb\n", staged: "c-2" };
  expect(originOf({ text: "a\r\nc\r\n", git: found }, own)).toBe("own");
});
