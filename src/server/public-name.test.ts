import { expect, it } from "vitest";
import { aServer } from "../../test/support/server.ts";
import { coreName, publicName } from "./public-name.ts";

it.each([
  ["change.merged", "pull-request.merged"],
  ["change:app/3", "pull-request:app/3"],
  ["session.requested", "session.requested"],
  ["changes-requested", "changes-requested"],
])("%s is public as %s", (core, outside) => {
  expect(publicName(core)).toBe(outside);
});

it("a stream is found under both names", () => {
  expect([coreName("pull-request:app/3"), coreName("change:app/3"), coreName("session:a")]).toEqual([
    "change:app/3",
    "change:app/3",
    "session:a",
  ]);
});

it("costs by change are costs by pull request", async () => {
  const answer = await aServer().ask("/api/costs?by=change", {}, "socket");
  expect(await answer.json()).toMatchObject({ by: "pull-request" });
});
