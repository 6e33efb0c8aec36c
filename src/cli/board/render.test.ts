import { describe, expect, it } from "vitest";
import { boardFleet, boardSessions } from "../../../test/support/board-fleet.ts";
import { sortSessions } from "../../protocol/fleet-order.ts";
import { style } from "../views/style.ts";
import { EMPTY_FIELD, edit, showField, textOf } from "./field.ts";
import { pastedKey, toKey } from "./key.ts";
import { paintedWidth, wrapWords } from "./paint.ts";
import { renderBoard } from "./render.ts";
import { type BoardState, initialBoard, type Mode } from "./state.ts";
import { updateBoard } from "./update.ts";

const NOW = Date.parse("2026-01-01T01:00:00Z");
const SIZES = [
  [80, 20],
  [80, 24],
  [100, 30],
  [120, 40],
  [149, 33],
  [150, 33],
  [200, 60],
  [400, 100],
] as const;

function aBoard(count: number, [columns, rows]: readonly [number, number], mode?: Mode): BoardState {
  const sessions = sortSessions(boardSessions(count, NOW));
  const start = initialBoard({ columns, rows }, "/");
  const { state } = updateBoard(start, { type: "listed", sessions, fleet: boardFleet() });
  const detail = boardSessions(count, NOW).find(({ id }) => id === state.selectedId) ?? null;
  return { ...state, detail, ...(mode === undefined ? {} : { mode }) };
}

const draw = (state: BoardState, paint = style({})): readonly string[] =>
  renderBoard(state, { now: NOW, style: paint });

describe("the screen", () => {
  const question = boardSessions(12, NOW)[1]?.question;
  if (question == null) throw new Error("no question");
  const long = {
    ...question,
    detail: { format: "text", text: `${"x ".repeat(500)}\n日本語${"\u001b[2J\u202e"}` },
  } as const;
  const reading = { sessionId: "shop-101", title: "T".repeat(300), top: 5, follow: false };
  const lines = Array.from({ length: 300 }, (_, n) => `${n} ${"語".repeat(n)}`);
  const modes: readonly (Mode | undefined)[] = [
    undefined,
    { kind: "filter", field: { before: "f".repeat(300), after: "" } },
    { kind: "ask", ask: "message", target: "s".repeat(90), field: { before: "語".repeat(90), after: "x".repeat(90) } },
    { kind: "confirm", action: "merge", sessionId: "x", text: "Merge? ".repeat(50) },
    { kind: "answer", sessionId: "x".repeat(200), question: long, field: EMPTY_FIELD, top: 0 },
    { kind: "read", reading: { ...reading, what: "diff", text: lines, lines: lines.map((line) => line.slice(0, 30)) } },
    { kind: "read", reading: { ...reading, what: "transcript", text: null, lines: [] } },
  ];

  it.each(SIZES)("of %d×%d is filled exactly, whatever it shows", (columns, rows) => {
    for (const count of [0, 1, 3, 60, 500]) {
      for (const mode of count === 60 ? modes : [undefined]) {
        const shown = draw(aBoard(count, [columns, rows], mode), style({ isTTY: true }));
        expect(shown).toHaveLength(rows);
        for (const line of shown) {
          expect(paintedWidth(line), line).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/\n|\u001b(?!\[[0-9;]*m)/);
        }
      }
    }
  });

  it("reports that it is too small, and still fits", () => {
    for (const [columns, rows] of [
      [79, 24],
      [80, 19],
      [20, 5],
      [3, 1],
    ] as const) {
      const shown = draw(aBoard(3, [columns, rows]));
      expect(shown.length).toBeLessThanOrEqual(rows);
      for (const line of shown) expect(paintedWidth(line)).toBeLessThanOrEqual(columns);
    }
    expect(draw(aBoard(3, [60, 20])).join("\n")).toContain("This terminal is 60×20.");
  });

  it("keeps the selected session in view wherever it is", () => {
    const state = aBoard(500, [80, 24]);
    for (const row of [0, 11, 250, 498, 499]) {
      const selectedId = state.sessions[row]?.id ?? "";
      const shown = draw({ ...state, selectedId, detail: null });
      expect(shown.filter((line) => line.startsWith("▌"))).toHaveLength(1);
      expect(shown.join("\n")).toContain(`── ${row + 1} of 500 ─`);
    }
  });

  it("shows the whole question, line by line", () => {
    const text = draw(aBoard(12, [120, 40])).join("\n");
    for (const line of ["│ echo tidy up", "│ rm -f license", "│ →   two"]) expect(text).toContain(line);
  });

  it("lets a person scroll through every line of a long question before answering", () => {
    const text = Array.from({ length: 200 }, (_, n) => `line ${n} of the heredoc\t${"x".repeat(n)}`).join("\n");
    const start = aBoard(12, [80, 24], {
      kind: "answer",
      sessionId: "shop-101",
      question: { ...question, detail: { format: "command", text: `cat <<EOF\n${text}\nEOF` } },
      field: EMPTY_FIELD,
      top: 0,
    });
    const seen = new Set<string>();
    let state = start;
    for (let page = 0; page < 40; page += 1) {
      for (const line of draw(state)) seen.add(/line \d+ of the heredoc/.exec(line)?.[0] ?? line);
      state = updateBoard(state, { type: "key", key: { name: "pagedown", text: null } }).state;
    }
    for (let n = 0; n < 200; n += 1) expect(seen).toContain(`line ${n} of the heredoc`);
    expect(draw(state).join("\n")).toContain("3. deny");
  });

  it("shows the keys that apply to the selected session", () => {
    const bar = (state: BoardState): string => draw(state).at(-1) ?? "";
    const state = aBoard(12, [120, 40]);
    expect(bar(state)).toMatch(/^ a answer {2}Enter transcript/);
    expect(bar({ ...state, selectedId: "shop-102" })).toMatch(/^ p approve {2}r request changes {2}M merge/);
    expect(bar(aBoard(0, [80, 24]))).toBe(" n new  / filter  v stopped  ? help  q quit");
  });
});

describe("a field", () => {
  const typed = (...keys: readonly (readonly [string | undefined, object])[]) =>
    keys.reduce((field, [text, press]) => edit(field, toKey(text, press)), EMPTY_FIELD);

  it("accepts letters, moves, and deletes whole characters", () => {
    expect(textOf(typed(["a", {}], ["👍", {}], [undefined, { name: "backspace" }]))).toBe("a");
    expect(textOf(typed(["a", {}], [undefined, { name: "left" }], ["b", {}]))).toBe("ba");
    expect(textOf(typed(["a", {}], ["b", {}], [undefined, { name: "home" }], [undefined, { name: "delete" }]))).toBe(
      "b",
    );
    expect(textOf(typed(["a", {}], [" ", { name: "space" }], ["b", {}], ["\u0017", { name: "w", ctrl: true }]))).toBe(
      "a ",
    );
  });

  it("keeps the newlines of pasted text, and none of its keys acts", () => {
    expect(textOf(edit(EMPTY_FIELD, pastedKey("one\r\ntwo\r")))).toBe("one\ntwo\n");
  });

  it("shows its end if it is too long, with control characters escaped", () => {
    const field = { before: `${"x".repeat(100)}\u001b[2Jend`, after: "" };
    expect(showField(field, 20)).toMatch(/^….*\\x1b\[2Jend▏$/);
    expect(paintedWidth(showField(field, 20))).toBeLessThanOrEqual(20);
  });
});

it("wraps text between words, and long words where necessary", () => {
  expect(wrapWords("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapWords("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrapWords("a b c d", 3, 1)).toEqual(["a …"]);
});
