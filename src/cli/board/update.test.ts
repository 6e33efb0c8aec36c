import { describe, expect, it } from "vitest";
import { boardFleet, boardSessions } from "../../../test/support/board-fleet.ts";
import { anAttention } from "../../../test/support/session-views.ts";
import { sortSessions } from "../../protocol/fleet-order.ts";
import type { Key } from "./key.ts";
import { type BoardEffect, type BoardState, initialBoard } from "./state.ts";
import { updateBoard } from "./update.ts";

const NOW = Date.parse("2026-01-01T01:00:00Z");
const SESSIONS = sortSessions(boardSessions(12, NOW));
/** In list order: a permission, a failed check, a review, running checks ... */
const [ASKS = "", FAILED = "", REVIEW = ""] = SESSIONS.map(({ id }) => id);

function listed(changes: Partial<BoardState> = {}): BoardState {
  const start = { ...initialBoard({ columns: 100, rows: 30 }, "/work/site/src"), ...changes };
  const { state } = updateBoard(start, { type: "listed", sessions: SESSIONS, fleet: boardFleet() });
  const detail = boardSessions(12, NOW).find(({ id }) => id === state.selectedId) ?? null;
  const projects = [
    { id: "shop", path: "/work/shop" },
    { id: "site", path: "/work/site" },
  ];
  return { ...state, detail, projects };
}

function at(selectedId: string): BoardState {
  return { ...listed(), selectedId, detail: boardSessions(12, NOW).find(({ id }) => id === selectedId) ?? null };
}

/** Presses keys one after another: names in angle brackets, anything else as typed. */
function press(state: BoardState, keys: string): { state: BoardState; effects: readonly BoardEffect[] } {
  const effects: BoardEffect[] = [];
  let current = state;
  for (const [, name, typed] of keys.matchAll(/<([^>]+)>|([\s\S])/g)) {
    const key: Key =
      name === undefined ? { name: typed === " " ? "space" : (typed ?? ""), text: typed ?? "" } : { name, text: null };
    const step = updateBoard(current, { type: "key", key });
    current = step.state;
    effects.push(...step.effects);
  }
  return { state: current, effects };
}

const HEAD = "1234567890abcdef";

describe("keys on the list", () => {
  it.each<[string, string, string, readonly BoardEffect[]]>([
    ["quits", ASKS, "q", [{ type: "quit" }]],
    ["quits with Ctrl+C from anywhere", ASKS, "m<ctrl+c>", [{ type: "quit" }]],
    ["suspends", ASKS, "<ctrl+z>", [{ type: "suspend" }]],
    ["opens the transcript", ASKS, "<enter>", [{ type: "read", what: "transcript", sessionId: ASKS }]],
    ["opens the diff", ASKS, "d", [{ type: "read", what: "diff", sessionId: ASKS }]],
    ["attaches", ASKS, "t", [{ type: "attach", sessionId: ASKS }]],
    ["attaches with A too", ASKS, "A", [{ type: "attach", sessionId: ASKS }]],
    [
      "sends a message",
      ASKS,
      "mhi<enter>",
      [{ type: "act", action: { kind: "message", sessionId: ASKS, text: "hi" } }],
    ],
    ["sends nothing for an empty message", ASKS, "m<enter>", []],
    ["sends nothing after Esc", ASKS, "mhi<escape>", []],
    [
      "approves the commit that is shown",
      REVIEW,
      "p",
      [{ type: "act", action: { kind: "approve", sessionId: REVIEW, head: HEAD } }],
    ],
    [
      "requests changes",
      REVIEW,
      "rno<enter>",
      [{ type: "act", action: { kind: "request-changes", sessionId: REVIEW, head: HEAD, text: "no" } }],
    ],
    ["merges after yes", REVIEW, "My", [{ type: "act", action: { kind: "merge", sessionId: REVIEW } }]],
    ["does not merge after another key", REVIEW, "Mn", []],
    ["stops after yes", ASKS, "sy", [{ type: "act", action: { kind: "stop", sessionId: ASKS } }]],
    ["does not stop when s is pressed twice", ASKS, "ss", []],
    ["restores", ASKS, "R", [{ type: "act", action: { kind: "restore", sessionId: ASKS } }]],
    ["shows stopped sessions", ASKS, "v", [{ type: "list" }]],
    [
      "starts a task in the project of the folder",
      ASKS,
      "ngo<enter>",
      [{ type: "projects" }, { type: "act", action: { kind: "new", projectId: "site", title: "go" } }],
    ],
    [
      "starts a task in another project after Tab",
      ASKS,
      "n<tab>go<enter>",
      [{ type: "projects" }, { type: "act", action: { kind: "new", projectId: "shop", title: "go" } }],
    ],
    ["moves and reads the row's details", ASKS, "j", [{ type: "detail", sessionId: FAILED }]],
    ["stays at the top", ASKS, "k", []],
  ])("%s", (_, selected, keys, effects) => {
    expect(press(at(selected), keys).effects).toEqual(effects);
  });

  it.each([
    [ASKS, "p", `${ASKS} has no open pull request.`],
    [ASKS, "M", `${ASKS} has no open pull request.`],
    [REVIEW, "a", `${REVIEW} has no open question.`],
    [ASKS, "sn", "Canceled."],
  ])("%s: %s is answered with %s", (selected, keys, text) => {
    expect(press(at(selected), keys).state.notice?.text).toBe(text);
  });

  it("keeps a notice until the next key", () => {
    const { state } = press(at(ASKS), "p");
    expect(press(state, "j").state.notice).toBeNull();
  });

  it("explains what to do if there is no project for a new task", () => {
    const empty = { ...initialBoard({ columns: 80, rows: 24 }, "/"), fleet: boardFleet() };
    expect(press(empty, "n").state.notice?.text).toContain("ao start");
  });
});

describe("the filter", () => {
  it("narrows the list with each letter, by every word, and moves the cursor into it", () => {
    const { state } = press(at(ASKS), "/review appro");
    expect(state.filter).toBe("review appro");
    expect(state.selectedId).toBe(REVIEW);
    expect(press(state, "<enter>").state).toMatchObject({ filter: "review appro", mode: { kind: "list" } });
    expect(press(state, "<escape>").state.filter).toBe("");
  });

  it("does not act on letters that are keys elsewhere", () => {
    expect(press(at(ASKS), "/q").effects.filter(({ type }) => type === "quit")).toEqual([]);
  });
});

describe("an answer", () => {
  const act = (choice: string): BoardEffect => ({
    type: "act",
    action: { kind: "answer", sessionId: ASKS, questionId: "q-1", choice },
  });

  it.each<[string, readonly BoardEffect[]]>([
    ["a1<enter>", [act("allow")]],
    ["a2<enter>", [act("allow always")]],
    ["adeny<enter>", [act("deny")]],
    ["ause sed instead<enter>", [act("use sed instead")]],
    ["a1", []],
    ["a<enter>", []],
    ["a1<escape>", []],
    ["a1<backspace>3<enter>", [act("deny")]],
  ])("%s sends %j", (keys, effects) => {
    expect(press(at(ASKS), keys).effects).toEqual(effects);
  });

  it("opens as soon as the question is loaded", () => {
    const state = { ...at(ASKS), detail: null };
    const asked = press(state, "a");
    expect(asked.effects).toEqual([{ type: "detail", sessionId: ASKS }]);
    const detail = at(ASKS).detail;
    if (detail === null) throw new Error("no detail");
    expect(updateBoard(asked.state, { type: "detailed", detail }).state.mode.kind).toBe("answer");
  });

  it("rejects free text if the agent does not accept it", () => {
    const state = at(ASKS);
    if (state.detail?.question == null) throw new Error("no question");
    const strict = { ...state, detail: { ...state.detail, question: { ...state.detail.question, freeText: false } } };
    expect(press(strict, "ax<enter>").effects).toEqual([]);
    expect(press(strict, "a<enter>").state.notice?.text).toBe("Choose 1-3.");
  });

  it("does not apply to a question that came since", () => {
    const { state } = press(at(ASKS), "a1");
    const { detail } = state;
    if (detail?.question == null) throw new Error("no question");
    const other = updateBoard(state, {
      type: "detailed",
      detail: { ...detail, question: { ...detail.question, id: "q-2" } },
    });
    expect(other.state.mode.kind).toBe("list");
    expect(other.state.notice?.text).toContain("something else");
  });
});

describe("a new list", () => {
  const need = (id: string) =>
    SESSIONS.map((session) =>
      session.id === id ? { ...session, attention: anAttention("review", { at: "later" }) } : session,
    );

  it("rings when something new needs a person, but not at the start", () => {
    const sessions = need(SESSIONS[8]?.id ?? "");
    const first = updateBoard(initialBoard({ columns: 80, rows: 24 }, "/"), {
      type: "listed",
      sessions,
      fleet: boardFleet(),
    });
    expect(first.effects).not.toContainEqual({ type: "bell" });
    const same = updateBoard(first.state, { type: "listed", sessions, fleet: boardFleet() });
    expect(same.effects).not.toContainEqual({ type: "bell" });
    const more = updateBoard(listed(), { type: "listed", sessions, fleet: boardFleet() });
    expect(more.effects).toContainEqual({ type: "bell" });
  });

  it("keeps the cursor on its session, or on its row if the session is gone", () => {
    const without = SESSIONS.filter(({ id }) => id !== FAILED);
    const kept = updateBoard(at(REVIEW), { type: "listed", sessions: without, fleet: boardFleet() });
    expect(kept.state.selectedId).toBe(REVIEW);
    const gone = updateBoard(at(FAILED), { type: "listed", sessions: without, fleet: boardFleet() });
    expect(gone.state.selectedId).toBe(REVIEW);
  });

  it("ends the offline state", () => {
    const lost = updateBoard(listed(), { type: "lost", reason: "the daemon is not running" }).state;
    expect(lost.offline).not.toBeNull();
    expect(updateBoard(lost, { type: "listed", sessions: SESSIONS, fleet: boardFleet() }).state.offline).toBeNull();
  });
});

describe("a text over the screen", () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
  const open = (what: "diff" | "transcript"): BoardState => {
    const { state } = press(at(ASKS), what === "diff" ? "d" : "<enter>");
    return updateBoard(state, { type: "read", what, sessionId: ASKS, lines }).state;
  };
  const topOf = ({ mode }: BoardState): number => (mode.kind === "read" ? mode.reading.top : -1);

  it.each([
    ["j", 1],
    ["jjk", 1],
    ["<space>", 27],
    ["G", 73],
    ["Gg", 0],
    ["kkk", 0],
    ["G<pagedown>", 73],
  ])("%s scrolls to line %d", (keys, top) => {
    expect(topOf(press(open("diff"), keys).state)).toBe(top);
  });

  it("of a transcript stays at its end until it is scrolled, and again from there", () => {
    const following = (state: BoardState) => state.mode.kind === "read" && state.mode.reading.follow;
    expect(following(open("transcript"))).toBe(true);
    expect(following(press(open("transcript"), "k").state)).toBe(false);
    expect(following(press(open("transcript"), "kG").state)).toBe(true);
  });

  it("is closed by q, which does not quit", () => {
    const left = press(open("diff"), "q");
    expect(left.state.mode.kind).toBe("list");
    expect(left.effects).toEqual([]);
  });

  it("is ignored if another one was opened meanwhile", () => {
    const { state } = press(at(ASKS), "d");
    const other = updateBoard(state, { type: "read", what: "diff", sessionId: REVIEW, lines });
    expect(other.state).toEqual(state);
  });
});
