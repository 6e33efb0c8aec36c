import { describe, expect, it } from "vitest";
import { choosePager, FROM_THE_END } from "./pager.ts";

const LONG = "line\n".repeat(50);
const TERMINAL = { isTTY: true, rows: 24 };

describe("the pager", () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string | null]>([
    ["less by default", {}, "less -FRX"],
    ["the user's", { PAGER: "more" }, "more"],
    ["ao's own before it", { PAGER: "more", AO_PAGER: "bat -p" }, "bat -p"],
    ["none with NO_PAGER", { NO_PAGER: "1", PAGER: "more" }, null],
    ["none for an empty name", { AO_PAGER: "", PAGER: "more" }, null],
    ["none for cat", { PAGER: "cat" }, null],
    ["none on a dumb terminal", { TERM: "dumb" }, null],
  ])("is %s", (_, env, pager) => {
    expect(choosePager(LONG, TERMINAL, { env })).toBe(pager);
  });

  it("opens a conversation at its end", () => {
    expect(choosePager(LONG, TERMINAL, { env: {}, fallback: FROM_THE_END })).toBe("less -FRX +G");
    expect(choosePager(LONG, TERMINAL, { env: { PAGER: "more" }, fallback: FROM_THE_END })).toBe("more");
  });

  it("is only used on a terminal, for text that does not fit", () => {
    expect(choosePager("line\n", TERMINAL, { env: {} })).toBeNull();
    expect(choosePager(LONG, { isTTY: false, rows: 24 }, { env: {} })).toBeNull();
  });
});
