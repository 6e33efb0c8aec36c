import { describe, expect, it } from "vitest";
import { matchKeys, nameKey } from "./match-keys.ts";
import { SCOPES, SHORTCUTS } from "./shortcuts.ts";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) =>
  nameKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe("a pressed key", () => {
  it.each([
    [press("j"), "j"],
    [press("J", { shiftKey: true }), "Shift J"],
    [press("?", { shiftKey: true }), "?"],
    [press("k", { ctrlKey: true }), "Ctrl K"],
    [press("k", { metaKey: true }), "Ctrl K"],
    [press(" "), "Space"],
    [press("Shift", { shiftKey: true }), null],
    [press("j", { altKey: true }), null],
  ])("is named (%s)", (name, expected) => expect(name).toBe(expected));

  it("alone is a shortcut", () => expect(matchKeys(null, "j")).toEqual({ ids: ["next"], pending: null }));

  it("can start and end a two-key shortcut", () => {
    expect(matchKeys(null, "g")).toEqual({ ids: [], pending: "g" });
    expect(matchKeys("g", "i")).toEqual({ ids: ["go-inbox"], pending: null });
    expect(matchKeys("g", "x")).toEqual({ ids: [], pending: null });
  });

  it("is one shortcut for all digits", () => {
    expect(matchKeys(null, "3").ids).toEqual(["answer"]);
    expect(matchKeys(null, "0").ids).toEqual([]);
  });
});

it.each(Object.keys(SCOPES))("no two shortcuts in %s share their keys or a prefix", (scope) => {
  const keys = Object.values(SHORTCUTS)
    .filter((one) => one.scope === scope || one.scope === "anywhere")
    .map((one) => one.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).not.toContain("g");
});
