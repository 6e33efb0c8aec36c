import { expect, it } from "vitest";
import { serveDaemon } from "../../../../test/support/serve-daemon.ts";
import { connect } from "../../client/client.ts";
import { checkDaemon } from "./examine-machine.ts";

const health = { ok: true, version: "1.0.0", pid: 7, url: null, socket: "", trouble: null };

it("reports what keeps the daemon from working", async () => {
  await serveDaemon(() => ({ status: 503, body: { ...health, ok: false, trouble: "The disk is full." } }));
  expect(await checkDaemon(connect())).toMatchObject({ name: "daemon", state: "fail", text: "The disk is full." });
});

it("finds nothing wrong with a daemon that works", async () => {
  await serveDaemon(() => ({ status: 200, body: health }));
  expect(await checkDaemon(connect())).toMatchObject({
    name: "daemon",
    state: "ok",
    text: expect.stringContaining("7"),
  });
});

it("offers to repair a damaged store", async () => {
  const problem = { code: "store-corrupt", detail: "The store is damaged.", hint: null };
  await serveDaemon(() => ({ status: 503, body: problem }));
  expect(await checkDaemon(connect())).toMatchObject({ name: "store", text: "The store is damaged.", repair: "store" });
});
