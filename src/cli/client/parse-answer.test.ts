import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { exchange, formatRequest } from "./http.ts";
import { parseAnswer } from "./parse-answer.ts";

describe("an answer in bytes", () => {
  it.each([
    ["HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nhi", { status: 200, type: "a/b", text: "hi" }],
    ["HTTP/1.1 204 No Content\r\n\r\n", { status: 204, type: "", text: "" }],
    ["HTTP/1.1 200 OK\r\n\r\nuntil the end", { status: 200, type: "", text: "until the end" }],
    [
      "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
      { text: "abc0123456789" },
    ],
  ])("%j", (text, answer) => {
    expect(parseAnswer(Buffer.from(text))).toMatchObject(answer);
  });

  it("without a length is complete only when the connection is closed", () => {
    const bytes = Buffer.from("HTTP/1.1 200 OK\r\n\r\nuntil the end");
    expect(parseAnswer(bytes, false)).toBeNull();
    expect(parseAnswer(bytes, true)).toMatchObject({ text: "until the end" });
  });

  it.each([
    "",
    "HTTP/1.1 200 OK\r\nContent-Len",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    "SSH-2.0-OpenSSH\r\n\r\n",
  ])("is null if a part is missing: %j", (text) => {
    expect(parseAnswer(Buffer.from(text))).toBeNull();
  });
});

it.each([
  { method: "GET", path: "/a b" },
  { method: "GET", path: "/a\r\nx: y" },
  { method: "GET", path: "a" },
  { method: "GET x", path: "/a" },
])("writes no request that could be parsed as another: $method $path", (request) => {
  expect(() => formatRequest({ socket: "", timeoutMs: 0, ...request })).toThrow("not a request");
});

describe("against Node's own server", () => {
  async function ask(answer: (body: string, response: ServerResponse) => void, body?: string) {
    const socket = join(tempDir(), "s");
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      answer(Buffer.concat(chunks).toString("utf8"), response);
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    return exchange({ socket, method: "POST", path: "/x", body, timeoutMs: 10_000 });
  }

  it("carries a megabyte both ways, byte for byte", async () => {
    const text = "日本 ü 😀\n".repeat(60_000);
    expect((await ask((body, response) => void response.end(body), text)).text).toBe(text);
  });

  it("joins an answer that is written in pieces", async () => {
    const answer = await ask((_, response) => {
      response.statusCode = 409;
      response.write("one ");
      response.end("two");
    });
    expect(answer).toMatchObject({ status: 409, text: "one two" });
  });

  it("reports an answer that broke off", async () => {
    const broken = ask((_, response) => {
      response.write("half", () => response.destroy());
    });
    await expect(broken).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});
