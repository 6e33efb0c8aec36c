import { expect, it } from "vitest";
import { anAttention, aSession } from "../../../../test/support/session-views.ts";
import { groupSessions } from "./group-sessions.ts";
import { listItems } from "./list-items.ts";
import { groupsOfRows, movedRows } from "./moved-rows.ts";

const OPTIONS = { density: "normal", columns: 4, selected: null, toggled: new Set<string>(), merged: [] } as const;
const rowsOf = (...sessions: Parameters<typeof aSession>[0][]) =>
  groupsOfRows(listItems(groupSessions(sessions.map(aSession), "need"), OPTIONS));

it("a row has moved if its group changed, not if others came or went around it", () => {
  const before = rowsOf({ id: "a" }, { id: "b" });
  const asks = { id: "b", status: "needs-input", attention: anAttention("question") };
  expect(movedRows(before, rowsOf({ id: "a" }, asks))).toEqual(["b"]);
  expect(movedRows(before, rowsOf({ id: "a" }))).toEqual([]);
  expect(movedRows(before, rowsOf({ id: "new" }, { id: "a" }, { id: "b" }))).toEqual([]);
});
