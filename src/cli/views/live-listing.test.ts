import { expect, it } from "vitest";
import { boardFleet } from "../../../test/support/board-fleet.ts";
import { aSession } from "../../../test/support/session-views.ts";
import { withNews } from "./live-listing.ts";

const listing = { data: [aSession({ id: "a" }), aSession({ id: "b" })], fleet: boardFleet() };
const ids = (after: ReturnType<typeof withNews>): readonly string[] | undefined => after?.data.map(({ id }) => id);

it("shows a changed session once, and a new one", () => {
  const changed = withNews(listing, { event: "session", data: aSession({ id: "b", title: "New" }) }, {});
  expect(changed?.data.map(({ id, title }) => [id, title])).toContainEqual(["b", "New"]);
  expect(changed?.data).toHaveLength(2);
  expect(ids(withNews(listing, { event: "session", data: aSession({ id: "c" }) }, {}))).toContain("c");
});

it("drops a stopped session, unless stopped ones are shown", () => {
  const news = { event: "session", data: { ...aSession({ id: "b" }), removed: true } } as const;
  expect(ids(withNews(listing, news, {}))).toEqual(["a"]);
  expect(ids(withNews(listing, news, { all: true }))).toContain("b");
});

it("omits sessions of other projects", () => {
  const news = { event: "session", data: aSession({ id: "c", projectId: "other" }) } as const;
  expect(withNews(listing, news, { project: "app" })).toBe(listing);
});

it("shows what an agent reports between events", () => {
  const data = { sessionId: "a", activity: "reading", evidence: "the agent reported it", lastSignalAt: "" };
  const after = withNews(listing, { event: "signal", data }, {});
  expect(after?.data.find(({ id }) => id === "a")?.activity).toBe("reading");
});

it("must be reloaded after a reset, and for the numbers of one project", () => {
  expect(withNews(listing, { event: "reset", data: { reason: "too-far-behind" } }, {})).toBeNull();
  expect(withNews(listing, { event: "fleet", data: boardFleet() }, { project: "app" })).toBeNull();
});
