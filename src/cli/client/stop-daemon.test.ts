import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { stopDaemon } from "./stop-daemon.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("ao stop --sessions names the session that could not be stopped, and leaves the daemon running", async () => {
  const home = tempDir();
  vi.stubEnv("AO_HOME", home);
  const asked: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    "GET /healthz": { ok: true, pid: process.pid },
    "GET /api/sessions": { data: [{ id: "web-1", status: "working", createdAt: "2026-01-01T00:00:00Z" }], fleet: {} },
  };
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url?.split("?")[0]}`;
    asked.push(call);
    response.statusCode = call.startsWith("DELETE") ? 507 : 200;
    const problem = { code: "disk-full", detail: "The disk is full.", hint: null, status: 507, title: "" };
    response.end(JSON.stringify(answers[call] ?? problem));
  });
  await new Promise<void>((resolve) => server.listen(join(home, "ao.sock"), resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await expect(stopDaemon({ sessions: true, json: true })).rejects.toThrow(
    "1 session did not stop: web-1 (The disk is full.)",
  );
  expect(asked).toContain("DELETE /api/sessions/web-1");
  expect(asked).not.toContain("POST /api/shutdown");
});
