import { describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createPrinter, type Printer } from "./print.ts";

function makePrinter(): { readonly printer: Printer; notes(): readonly unknown[]; last(): unknown } {
  const lines: string[] = [];
  const read = (): readonly Readonly<Record<string, unknown>>[] =>
    lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return {
    printer: createPrinter((line) => void lines.push(line)),
    notes: () =>
      read()
        .filter(({ state }) => state === "working")
        .map(({ note }) => note ?? null),
    last: () => read().at(-1),
  };
}

describe("what an agent does", () => {
  it("is told at once, also after it was told that it works", () => {
    const { printer, notes } = makePrinter();
    printer.working(null);
    printer.working("a long command");
    expect(notes()).toEqual([null, "a long command"]);
  });

  it("is told within a second when much happens, and then it is the newest", async () => {
    const { printer, notes } = makePrinter();
    for (const note of ["one", "two", "three"]) printer.working(note);
    expect(notes()).toEqual(["one"]);
    await eventually(async () => expect(notes()).toEqual(["one", "three"]));
  });

  it("is not told any more when it is over", async () => {
    const { printer, notes, last } = makePrinter();
    for (const note of ["one", "two"]) printer.working(note);
    printer.done("all");
    const other = makePrinter();
    for (const note of ["one", "two"]) other.printer.working(note);
    await eventually(async () => expect(other.notes()).toEqual(["one", "two"]));
    expect(notes()).toEqual(["one"]);
    expect(last()).toEqual({ type: "done", summary: "all" });
  });
});
