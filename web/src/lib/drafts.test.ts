import { describe, expect, it } from "vitest";
import { changeDraft, currentDraft, type DraftStorage, keepDraft, readDraft, returnDraft } from "./drafts.ts";

function memory(): DraftStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

describe("a draft", () => {
  it("is restored under its own name", () => {
    const storage = memory();
    keepDraft("tern-1", "half a sentence", () => storage);
    expect(readDraft("tern-1", () => storage)).toBe("half a sentence");
    expect(readDraft("tern-2", () => storage)).toBe("");
  });

  it("leaves nothing behind once it is empty", () => {
    const storage = memory();
    keepDraft("tern-1", "x", () => storage);
    keepDraft("tern-1", "", () => storage);
    expect(storage.kept.size).toBe(0);
  });

  it("is lost without an error in a browser without storage", () => {
    const forbidden: DraftStorage = {
      getItem: () => {
        throw new Error("denied");
      },
      setItem: () => {
        throw new Error("quota");
      },
      removeItem: () => undefined,
    };
    expect(() => keepDraft("tern-1", "x", () => forbidden)).not.toThrow();
    expect(readDraft("tern-1", () => forbidden)).toBe("");
  });
});

describe("a rejected text", () => {
  it("returns to its empty field", () => {
    returnDraft("tern-9", "first");
    expect(currentDraft("tern-9")).toBe("first");
    changeDraft("tern-9", "");
    expect(currentDraft("tern-9")).toBe("");
  });

  it("returns above the text typed meanwhile, which stays", () => {
    changeDraft("tern-9", "second");
    returnDraft("tern-9", "first");
    expect(currentDraft("tern-9")).toBe("first\nsecond");
    changeDraft("tern-9", "");
  });
});
