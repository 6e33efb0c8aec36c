import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { connect } from "./client.ts";
import { makeFolder } from "./make-folder.ts";

const homeBefore = process.env["AO_HOME"];

afterEach(() => {
  if (homeBefore === undefined) delete process.env["AO_HOME"];
  else process.env["AO_HOME"] = homeBefore;
});

/** A minimal daemon on the socket of a fresh AO_HOME. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Server> {
  const home = tempDir();
  process.env["AO_HOME"] = home;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(join(home, "ao.sock"), resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** Probes the daemon with a twentieth of the usual patience; the request itself waits as usual. */
function shortenProbes(): void {
  const original = Socket.prototype.setTimeout;
  const spy = vi.spyOn(Socket.prototype, "setTimeout").mockImplementation(function (this: Socket, ms, callback) {
    return original.call(this, ms < 20_000 ? ms / 20 : ms, callback);
  });
  onTestFinished(() => spy.mockRestore());
}

it("resends a write with the same key after the connection broke", async () => {
  const keys: unknown[] = [];
  await serve((request, response, body) => {
    keys.push(request.headers["idempotency-key"]);
    if (keys.length === 1) request.socket.destroy();
    else response.end(JSON.stringify({ messageId: body }));
  });
  const input = { content: "hällo" };
  const answer = await connect().call("POST /api/sessions/:id/message", { params: { id: "s" }, input });
  expect(JSON.parse(answer.messageId)).toEqual(input);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

it("retries for a while if the connection breaks more than once", async () => {
  const keys: unknown[] = [];
  await serve((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    if (keys.length < 4) request.socket.destroy();
    else response.end('{"paused":true}');
  });
  await connect().call("POST /api/pause", { input: {} });
  expect(new Set(keys).size).toBe(1);
});

it("reports an unknown outcome of a write if no daemon answers any more", async () => {
  let server: Server | null = null;
  server = await serve((request) => {
    // It dies midway, and no other may be started.
    server?.close();
    rmSync(join(process.env["AO_HOME"] ?? "", "ao.sock"), { force: true });
    request.socket.destroy();
  });
  await expect(connect({ start: false }).call("POST /api/pause", { input: {} })).rejects.toMatchObject({
    code: "daemon-unreachable",
    message: expect.stringContaining("so the outcome is unknown"),
  });
});

it("reports a hanging daemon within seconds, with its pid", async () => {
  shortenProbes();
  await serve(() => undefined);
  writeFileSync(join(process.env["AO_HOME"] ?? "", "daemon.json"), '{"pid":4242}');
  await expect(connect().call("GET /api/sessions")).rejects.toMatchObject({
    message: "the daemon (pid 4242) runs but does not answer",
    hint: expect.stringContaining("kill -CONT 4242"),
  });
});

it("waits for a slow answer of a live daemon", async () => {
  const slow: ServerResponse[] = [];
  await serve((request, response) => {
    if (request.url !== "/healthz") slow.push(response);
    else {
      response.end("{}");
      slow.pop()?.end('{"data":[]}');
    }
  });
  await expect(connect().call("GET /api/sessions")).resolves.toEqual({ data: [] });
});

it("rejects a socket folder that others can write to", () => {
  const folder = join(tempDir(), "runtime");
  process.env["AO_HOME"] = `/${"x".repeat(120)}`;
  process.env["XDG_RUNTIME_DIR"] = folder;
  onTestFinished(() => void delete process.env["XDG_RUNTIME_DIR"]);
  mkdirSync(join(folder, `ao-${process.getuid?.() ?? 0}`), { recursive: true });
  chmodSync(join(folder, `ao-${process.getuid?.() ?? 0}`), 0o777);
  expect(() => connect()).toThrow(/belongs to another user or is open to others/);
});

it("uses another key for another write", async () => {
  const keys = new Set<unknown>();
  await serve((request, response) => {
    keys.add(request.headers["idempotency-key"]);
    response.end('{"paused":true}');
  });
  const client = connect();
  await client.call("POST /api/pause", { input: {} });
  await client.call("POST /api/pause", { input: {} });
  expect(keys.size).toBe(2);
});

it("reports that the daemon is not running if it may not start it", async () => {
  process.env["AO_HOME"] = tempDir();
  await expect(connect({ start: false }).call("GET /healthz")).rejects.toMatchObject({
    code: "daemon-unreachable",
    message: "the daemon is not running",
  });
});

it("reports an unusable AO_HOME, with the fix", async () => {
  const file = join(tempDir(), "file");
  writeFileSync(file, "");
  process.env["AO_HOME"] = join(file, "home");
  await expect(connect().call("GET /healthz")).rejects.toMatchObject({
    code: "store-unwritable",
    message: `${file}/home cannot be used: ENOTDIR`,
    hint: expect.stringContaining("AO_HOME"),
  });
});

it.runIf(existsSync("/proc/self"))("does not hang where folders cannot be made at all", async () => {
  process.env["AO_HOME"] = "/proc/no-such-folder/home";
  await expect(connect().call("GET /healthz")).rejects.toMatchObject({ code: "store-unwritable" });
});

it("creates the folders above AO_HOME too, private to the user", () => {
  const path = join(tempDir(), "a", "b", "c");
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
