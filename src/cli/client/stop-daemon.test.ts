import { expect, it, vi } from "vitest";
import { type Answer, serveDaemon } from "../../../test/support/serve-daemon.ts";
import { stopDaemon } from "./stop-daemon.ts";

/** Above every number that Linux gives. */
const NO_PROCESS = 2 ** 22 + 1;

const listing = (...ids: readonly string[]): Answer => {
  const data = ids.map((id) => ({ id, status: "working", createdAt: "2026-01-01T00:00:00Z" }));
  return { status: 200, body: { data, fleet: {} } };
};

it("ao stop --sessions names the session that could not be stopped, and leaves the daemon running", async () => {
  const asked = await serveDaemon((call) => {
    if (call === "GET /healthz") return { status: 200, body: { ok: true, pid: process.pid } };
    if (call === "GET /api/sessions") return listing("web-1");
    return {
      status: 507,
      body: { code: "disk-full", detail: "The disk is full.", hint: null, status: 507, title: "" },
    };
  });
  await expect(stopDaemon({ sessions: true, json: true })).rejects.toThrow(
    "1 session did not stop: web-1 (The disk is full.)",
  );
  expect(asked).toContain("DELETE /api/sessions/web-1");
  expect(asked).not.toContain("POST /api/shutdown");
});

it("ao stop --sessions stops sessions that start meanwhile too", async () => {
  const running = new Set(["web-1"]);
  const asked = await serveDaemon((call) => {
    if (call === "GET /healthz") return { status: 200, body: { ok: true, pid: NO_PROCESS } };
    if (call === "GET /api/sessions") return listing(...running);
    // Somebody's request for another one comes first.
    if (call.endsWith("/web-1")) running.add("web-2");
    running.delete(call.split("/").at(-1) ?? "");
    return { status: 200, body: {} };
  });
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await stopDaemon({ sessions: true, json: false });
  const printed = out.mock.calls.join("");
  out.mockRestore();
  expect(asked.filter((call) => !call.startsWith("GET"))).toEqual([
    "DELETE /api/sessions/web-1",
    "DELETE /api/sessions/web-2",
    "POST /api/shutdown",
  ]);
  expect(printed).toContain("the daemon and 2 sessions stopped: web-1, web-2");
});

it("ao stop --sessions says on a terminal how far it is, with a few requests at a time", async () => {
  const running = new Set(Array.from({ length: 200 }, (_, at) => `web-${at}`));
  let [open, most] = [0, 0];
  const asked = await serveDaemon(async (call) => {
    if (call === "GET /healthz") return { status: 200, body: { ok: true, pid: NO_PROCESS } };
    if (call === "GET /api/sessions") return listing(...running);
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    running.delete(call.split("/").at(-1) ?? "");
    return { status: 200, body: {} };
  });
  const isTTY = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  const [err, out] = [process.stderr, process.stdout].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  await stopDaemon({ sessions: true, json: true });
  const shown = err?.mock.calls.join("");
  err?.mockRestore();
  out?.mockRestore();
  if (isTTY === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
  else Object.defineProperty(process.stderr, "isTTY", isTTY);
  expect(shown).toContain("stopping sessions: 200 of 200 ...");
  expect(most).toBeLessThanOrEqual(16);
  expect(asked.filter((call) => call.startsWith("DELETE"))).toHaveLength(200);
});
