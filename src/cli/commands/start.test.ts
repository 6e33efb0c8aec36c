import { expect, it } from "vitest";
import { serveDaemon } from "../../../test/support/serve-daemon.ts";
import { connect } from "../client/client.ts";
import { nextStep } from "./start.ts";

it.each([
  [[null], "1 session: ao list"],
  [["asks"], "1 session, 1 needs you: ao inbox"],
  [["asks", "asks", null], "3 sessions, 2 need you: ao inbox"],
])("%j: says %s", async (attention, text) => {
  const sessions = attention.map((one, index) => ({ id: `app-${index}`, status: "idle", attention: one }));
  await serveDaemon((call) => {
    if (call === "GET /api/projects") return { status: 200, body: { data: [{ id: "app" }] } };
    return { status: 200, body: { data: sessions, fleet: {} } };
  });
  expect(await nextStep(connect())).toBe(text);
});
