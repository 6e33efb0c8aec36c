import { describe, expect, it } from "vitest";
import { anAttention, aSession } from "../../../../test/support/session-views.ts";
import { densityOf } from "./density.ts";
import { groupSessions } from "./group-sessions.ts";
import { holdOrder } from "./held-order.ts";
import { type ListOptions, listItems, selectableIds, stepSelection } from "./list-items.ts";
import { titleAt } from "./title-at.ts";

const need = (id: string) =>
  aSession({ id, status: "needs-input", state: "waiting", attention: anAttention("question") });
const many = (count: number, status = "working") =>
  Array.from({ length: count }, (_, n) => aSession({ id: `${status}-${String(n).padStart(3, "0")}`, status }));
const OPTIONS: ListOptions = { density: "normal", columns: 4, selected: null, toggled: new Set(), merged: [] };
const list = (sessions: readonly ReturnType<typeof aSession>[], options: Partial<ListOptions> = {}) =>
  listItems(groupSessions(sessions, "need"), { ...OPTIONS, ...options });
const types = (items: ReturnType<typeof list>) => items.map(({ type }) => type);

it.each([
  [1, "roomy"],
  [6, "roomy"],
  [7, "normal"],
  [35, "normal"],
  [36, "dense"],
  [120, "dense"],
  [121, "collapsed"],
])("%d sessions are shown %s", (count, density) => expect(densityOf(count)).toBe(density));

describe("the list", () => {
  it("starts with what needs a person, whose header is the line above it", () => {
    const items = list([...many(2), need("n")]);
    expect(types(items)).toEqual(["need", "header", "row", "row"]);
    expect(items.map(({ height }) => height)).toEqual([46, 30, 28, 28]);
  });

  it("is denser with many sessions: only the selected need has two lines, and work is a wall", () => {
    const items = list([...many(9), need("a"), need("b")], { density: "dense", selected: "a" });
    expect(types(items)).toEqual(["need", "need", "header", "wall", "wall", "wall"]);
    expect(items.slice(0, 2).map(({ height }) => height)).toEqual([44, 27]);
  });

  it("keeps only summaries and the 60 latest signals with very many sessions", () => {
    const items = list([...many(300), ...many(100, "ci-failed"), need("n")], { density: "collapsed" });
    expect(types(items).filter((type) => type === "header")).toHaveLength(2);
    expect(types(items)).not.toContain("row");
    expect(items.flatMap((item) => (item.type === "wall" ? item.sessions : []))).toHaveLength(60);
  });

  it("folds all but the first needs with very many sessions, until the person opens them", () => {
    const needs = Array.from({ length: 90 }, (_, n) => need(`n-${String(n).padStart(2, "0")}`));
    const sessions = [...needs, ...many(100)];
    const folded = list(sessions, { density: "collapsed", selected: "n-80" });
    expect(selectableIds(folded).filter((id) => id.startsWith("n-"))).toHaveLength(13);
    expect(folded.find(({ type }) => type === "more-needs")).toMatchObject({ count: 77 });
    const open = list(sessions, { density: "collapsed", toggled: new Set(["needs-you"]) });
    expect(types(open).filter((type) => type === "need")).toHaveLength(90);
    expect(types(list(needs.slice(0, 15), { density: "collapsed" }))).not.toContain("more-needs");
    expect(types(list(needs, { density: "dense" }))).not.toContain("more-needs");
  });

  it("opens and closes groups as the person wants", () => {
    expect(types(list(many(3), { toggled: new Set(["working"]) }))).toEqual(["header"]);
    const open = list(many(5, "ci-failed"), { density: "collapsed", toggled: new Set(["in-review"]) });
    expect(types(open)).toEqual(["header", "row", "row", "row", "row", "row"]);
  });

  it("is traversed from top to bottom, the wall column by column", () => {
    const ids = selectableIds(list([need("n"), ...many(5)], { density: "dense", columns: 2 }));
    expect(ids).toEqual(["n", "working-000", "working-001", "working-002", "working-003", "working-004"]);
    expect(stepSelection(ids, null, 1)).toBe("n");
    expect(stepSelection(ids, "n", 1)).toBe("working-000");
    expect(stepSelection(ids, "n", -1)).toBe("n");
    expect(stepSelection(ids, "gone", -1)).toBe("working-004");
    expect(stepSelection([], null, 1)).toBeNull();
  });

  it("reports which groups are above the visible ones", () => {
    const groups = groupSessions([need("n"), ...many(3, "ci-failed"), ...many(4)], "need");
    const items = listItems(groups, OPTIONS);
    expect(titleAt(groups, items, 0)).toMatchObject({ title: "Needs you", count: 1 });
    expect(titleAt(groups, items, 6).title).toBe("Needs you 1, In review 3 above");
    expect(titleAt([], [], 0).title).toBe("Sessions");
  });
});

describe("while a person is in the list", () => {
  it("new needs wait and resolved ones leave; nothing moves", () => {
    expect(holdOrder(["b", "a"], ["c", "a", "b"], true)).toEqual({ ids: ["b", "a"], waiting: 1 });
    expect(holdOrder(["b", "a"], ["a"], true)).toEqual({ ids: ["a"], waiting: 0 });
  });

  it("afterwards the order is current", () => {
    expect(holdOrder(["b", "a"], ["c", "a", "b"], false)).toEqual({ ids: ["c", "a", "b"], waiting: 0 });
  });
});
