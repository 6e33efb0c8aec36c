import { expect, it } from "vitest";
import { createRepeats } from "./repeats.ts";

const AT = null;

it("recognizes a printed summary, even in parts, as Markdown or cut short", () => {
  const repeats = createRepeats();
  repeats.addOutput({ kind: "say", text: `First part.\n\n${"long ".repeat(600)}`, at: AT });
  const cut = `First part. ${"long ".repeat(300).trim()}…`;
  repeats.report({ kind: "done", summary: cut });
  expect(repeats.has(cut)).toBe(true);
});

it("recognizes a note about a shown tool", () => {
  const repeats = createRepeats();
  repeats.addOutput({ kind: "tool", id: "1", name: "Bash", title: "npm test\nnpm run lint", input: null, at: AT });
  expect(repeats.report({ kind: "status", state: "working", note: "Bash: npm test" })).toBe(true);
  expect(repeats.report({ kind: "status", state: "working", note: "try 2 of 10 follows" })).toBe(false);
});

it("recognizes plain lines of a program too", () => {
  const repeats = createRepeats();
  for (const line of ["I fixed", "the readme."]) repeats.addOutput(line);
  repeats.report({ kind: "done", summary: "I fixed the readme." });
  expect(repeats.has("I fixed\nthe readme.")).toBe(true);
});

it("does not mistake the words of an earlier turn for those of this one", () => {
  const repeats = createRepeats();
  repeats.addOutput("all green");
  repeats.report({ kind: "done", summary: "other" });
  repeats.report({ kind: "done", summary: "all green" });
  expect(repeats.has("all green")).toBe(false);
});
