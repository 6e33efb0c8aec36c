import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HttpError } from "../ports/http.ts";
import { tempDir } from "../testing/temp.ts";
import { http } from "./http.ts";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serve(answer: RequestListener): Promise<string> {
  return listen(createServer(answer));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function failureOf(work: Promise<unknown>): Promise<HttpError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HttpError);
  return error as HttpError;
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  response.setHeader("X-Seen", "yes").statusCode = 201;
  response.end(JSON.stringify({ method, url, headers, body: await readBody(request) }));
}

describe("http", () => {
  it("sends method, headers and body, and returns status, headers and body", async () => {
    const host = await serve((request, response) => void echo(request, response));
    const body = "grün 日本語 🎉";
    const answer = await http({ method: "POST", url: `http://${host}/a?b=c`, headers: { "X-One": "1" }, body });
    expect(answer).toMatchObject({ status: 201, truncated: false, headers: { "x-seen": "yes" } });
    expect(JSON.parse(answer.body)).toMatchObject({
      method: "POST",
      url: "/a?b=c",
      headers: { "x-one": "1", "content-length": String(Buffer.byteLength(body)) },
      body,
    });
  });

  it("sends the user and password in a URL as basic authentication", async () => {
    const host = await serve((request, response) => response.end(request.headers.authorization));
    const { body } = await http({ method: "GET", url: `http://ada:p%40ss@${host}/` });
    expect(body).toBe(`Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
  });

  it.each([204, 301, 404, 429, 503])("returns status %i as an answer", async (status) => {
    const host = await serve((_request, response) => response.writeHead(status).end());
    expect((await http({ method: "GET", url: `http://${host}/` })).status).toBe(status);
  });

  it("does not follow redirects", async () => {
    const seen: string[] = [];
    const other = await serve((request, response) => response.end(seen.push(request.url ?? "")));
    const host = await serve((_request, response) =>
      response.writeHead(307, { location: `http://${other}/there` }).end(),
    );
    const answer = await http({ method: "POST", url: `http://${host}/`, body: "private" });
    expect(answer).toMatchObject({ status: 307, headers: { location: `http://${other}/there` } });
    expect(seen).toEqual([]);
  });

  it("cuts a long answer at maxBytes, even an endless one", async () => {
    const host = await serve((_request, response) => response.write("x".repeat(200_000)));
    const answer = await http({ method: "GET", url: `http://${host}/`, maxBytes: 1000 });
    expect(answer).toMatchObject({ status: 200, truncated: true, body: "x".repeat(1000) });
  });

  it("does not report an answer of exactly maxBytes as cut", async () => {
    const host = await serve((_request, response) => response.end("12345"));
    const answer = await http({ method: "GET", url: `http://${host}/`, maxBytes: 5 });
    expect(answer).toMatchObject({ body: "12345", truncated: false });
  });

  it("times out when the server does not answer", async () => {
    const host = await serve(() => undefined);
    const failure = await failureOf(http({ method: "GET", url: `http://${host}/secret?k=v`, timeoutMs: 50 }));
    expect(failure).toMatchObject({ reason: "timeout", code: "timeout" });
    expect(failure.message).toBe(`${host} did not answer within 0.05 s.`);
  });

  it("times out when the server does not finish its answer", async () => {
    const host = await serve((_request, response) => response.write("{"));
    const failure = await failureOf(http({ method: "GET", url: `http://${host}/`, timeoutMs: 100 }));
    expect(failure.reason).toBe("timeout");
  });

  it("distinguishes an unreachable server from one that hangs up", async () => {
    const closed = createTcpServer();
    await new Promise<void>((done) => closed.listen(0, "127.0.0.1", done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const refused = await failureOf(http({ method: "POST", url: `http://u:pw@127.0.0.1:${port}/secret?k=v` }));
    expect(refused.message).toBe(`127.0.0.1:${port} cannot be reached (ECONNREFUSED).`);
    expect(refused.reason).toBe("unreachable");

    const host = await serve((request) => request.socket.destroy());
    expect((await failureOf(http({ method: "POST", url: `http://${host}/`, body: "x" }))).reason).toBe("broken");
  });

  it("keeps connections alive for reads, and opens a new one for each write", async () => {
    const sockets: unknown[] = [];
    const host = await serve((request, response) => {
      sockets.push(request.socket);
      response.end("x".repeat(2000));
    });
    const warnings: Error[] = [];
    const warn = (warning: Error): unknown => warnings.push(warning);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const read = { method: "GET", url: `http://${host}/`, isRead: true } as const;
    for (let n = 0; n < 12; n += 1) await http(read);
    expect([new Set(sockets).size, warnings]).toEqual([1, []]);
    for (let n = 0; n < 2; n += 1) await http({ method: "POST", url: `http://${host}/`, body: "x" });
    expect(new Set(sockets).size).toBe(3);
    expect(await http({ ...read, maxBytes: 5 })).toMatchObject({ truncated: true, body: "xxxxx" });
    expect(await http(read)).toMatchObject({ truncated: false });
  });

  it("retries a read once on a new connection if the kept one was closed", async () => {
    let isClosing = false;
    const seen: string[] = [];
    const host = await serve((request, response) => {
      seen.push(request.url ?? "");
      if (isClosing && seen.length === 2) request.socket.destroy();
      else if (request.url === "/down") request.socket.destroy();
      else response.end("ok");
    });
    const read = (path: string) => http({ method: "GET", url: `http://${host}${path}`, isRead: true });
    await read("/one");
    isClosing = true;
    expect(await read("/two")).toMatchObject({ body: "ok" });
    expect(seen).toEqual(["/one", "/two", "/two"]);
    expect((await failureOf(read("/down"))).reason).toBe("broken");
  });

  it("reports an answer that breaks off midway as broken", async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.socket?.destroy());
    });
    expect((await failureOf(http({ method: "GET", url: `http://${host}/` }))).reason).toBe("broken");
  });

  it("reports an answer that is not HTTP as broken, without quoting it", async () => {
    const server = createTcpServer((socket) => socket.end("private words\r\n\r\n"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const failure = await failureOf(http({ method: "GET", url: `http://127.0.0.1:${port}/` }));
    expect(failure.reason).toBe("broken");
    expect(JSON.stringify([failure.message, failure.cause])).not.toContain("private");
  });

  it.each([
    ["no address", "hooks.example.com/secret"],
    ["another protocol", "file:///secret"],
  ])("refuses %s without repeating it", async (_name, url) => {
    const failure = await failureOf(http({ method: "GET", url }));
    expect(failure.reason).toBe("invalid");
    expect(failure.message + failure.stack).not.toContain("secret");
  });

  it("refuses a header with a line break", async () => {
    const headers = { "X-Token": "secret\r\nX-Other: 1" };
    const failure = await failureOf(http({ method: "GET", url: "http://127.0.0.1:1/", headers }));
    expect(failure.reason).toBe("invalid");
    expect(failure.message).not.toContain("secret");
  });

  it("rejects an untrusted certificate and sends that server nothing", async ({ skip }) => {
    if (spawnSync("openssl", ["version"]).status !== 0) skip("openssl is not installed");
    const folder = tempDir();
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-days", "2", "-nodes"];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-keyout",
        key,
        "-out",
        cert,
        ...subject,
      ],
      {
        stdio: "ignore",
      },
    );
    const seen: string[] = [];
    const host = await listen(
      createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
        seen.push(request.url ?? "");
        response.end();
      }),
    );
    const failure = await failureOf(http({ method: "POST", url: `https://${host}/secret`, body: "x" }));
    expect(failure.reason).toBe("unreachable");
    expect(seen).toEqual([]);
  });
});
