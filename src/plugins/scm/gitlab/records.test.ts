import { expect, it } from "vitest";
import { MergeRequestRecord, readable } from "./records.ts";

it("omits a merge request with an unreadable time, and keeps the others", () => {
  const record = {
    iid: 1,
    state: "opened",
    updated_at: "2026-11-15T12:00:00Z",
    web_url: "https://gitlab.com/x",
    labels: [],
  };
  const records = [
    { ...record, updated_at: "" },
    { ...record, iid: 2 },
    { ...record, updated_at: "soon" },
  ];
  expect(readable(MergeRequestRecord, records).map(({ iid }) => iid)).toEqual([2]);
});
