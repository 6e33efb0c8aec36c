import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { type KeptJson, openKeptJson } from "./kept-json.ts";

function openAt(path: string): KeptJson<readonly number[]> {
  const parse = (value: unknown): readonly number[] => {
    if (!Array.isArray(value)) throw new Error("not a list\nof numbers");
    return value as readonly number[];
  };
  return openKeptJson({ path, empty: [], parse, hint: "Remove it." });
}

describe("a value kept across restarts", () => {
  it("is empty without a file, and the next process reads what was saved", () => {
    const path = join(tempDir(), "new/folder/kept.json");
    const kept = openAt(path);
    expect(kept.value()).toEqual([]);
    kept.save([1, 2]);
    expect([kept.value(), openAt(path).value()]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("is private to the user, and leaves no other files", () => {
    const dir = tempDir();
    openAt(join(dir, "kept.json")).save([1]);
    expect(readdirSync(dir)).toEqual(["kept.json"]);
    expect(statSync(join(dir, "kept.json")).mode & 0o777).toBe(0o600);
  });

  it("replaces a file that a killed process left half written", () => {
    const path = join(tempDir(), "kept.json");
    writeFileSync(`${path}.tmp`, "[1, 2, 3, 4, 5");
    openAt(path).save([1]);
    expect(readFileSync(path, "utf8")).toBe("[1]");
  });

  it.each(["", "{", "{}"])("that is unreadable (%j) is an error with the fix, not an empty value", (text) => {
    const path = join(tempDir(), "kept.json");
    writeFileSync(path, text);
    expect(() => openAt(path)).toThrow(expect.objectContaining({ code: "internal", hint: "Remove it." }));
    expect(() => openAt(path)).toThrow(/^The file .*kept\.json cannot be read: [^\n]+$/);
  });
});
