import { describe, expect, it } from "vitest";
import { markMatches, type PaletteEntry, searchEntries } from "./search-entries.ts";

const entry = (id: string, group: PaletteEntry["group"], text: string, note = ""): PaletteEntry => ({
  id,
  group,
  text,
  note,
  mark: null,
  keys: null,
  run: () => undefined,
});

const ENTRIES = [
  entry("go:/cost", "Go to", "Cost"),
  entry("session:tern-131", "Sessions and pull requests", "tern-131 Show the merchant on receipts", "merged"),
  entry("pull-request:tern/231", "Sessions and pull requests", "#231 Show the delivery window", "tern-127"),
  entry("do:merge", "Do", "Merge #231 Show the delivery window", "tern-127"),
];

const found = (typed: string) => searchEntries(ENTRIES, typed).flatMap(({ entries }) => entries.map(({ id }) => id));

describe("the palette", () => {
  it("matches all words, actions first", () => {
    expect(found("mer")).toEqual(["do:merge", "session:tern-131"]);
    expect(found("show window")).toEqual(["do:merge", "pull-request:tern/231"]);
    expect(found("nothing like it")).toEqual([]);
  });

  it("shows everything before typing", () => expect(found("")).toHaveLength(4));

  it("narrows to actions, sessions or pull requests", () => {
    expect(found(">")).toEqual(["do:merge"]);
    expect(found("@tern")).toEqual(["session:tern-131"]);
    expect(found("#231")).toEqual(["pull-request:tern/231"]);
  });

  it("marks matches, whatever characters they contain", () => {
    expect(markMatches("Merge #231 (x)", "mer (x)").map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))).toEqual(
      ["[Mer]", "ge #231 ", "[(x)]"],
    );
  });
});
