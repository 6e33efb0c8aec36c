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

describe("a rate limit", () => {
  it.each([
    ["its end", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["no end", null, null],
    ["no end if the vendor's time is impossible", new Date(Number.NaN), null],
  ])("is printed with %s", (_, until, expected) => {
    const { printer, last } = makePrinter();
    printer.limited(until, "full");
    expect(last()).toEqual({ type: "status", state: "rate-limited", until: expected, note: "full" });
  });
});

describe("the agent's activity", () => {
  it("is printed at once, even right after it was reported as working", () => {
    const { printer, notes } = makePrinter();
    printer.working(null);
    printer.working("a long command");
    expect(notes()).toEqual([null, "a long command"]);
  });

  it("is printed within a second when much happens, newest last", async () => {
    const { printer, notes } = makePrinter();
    for (const note of ["one", "two", "three"]) printer.working(note);
    expect(notes()).toEqual(["one"]);
    await eventually(async () => expect(notes()).toEqual(["one", "three"]));
  });

  it("is no longer printed when it is over", async () => {
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
