// The floor for any server: plain node:http. `PUT /` sets the bytes that `GET /` returns, and a stream at `GET /stream` gets each body of
// `POST /stream`.
//   node bench/bare-server.mjs SOCKET
import { createServer } from "node:http";

let answer = Buffer.from("ok");
const listeners = new Set();

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  if (request.method === "GET" && request.url === "/stream") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    listeners.add(response);
    return;
  }
  const body = await readBody(request);
  if (request.method === "PUT") answer = body;
  if (request.method === "POST") for (const listener of listeners) listener.write(body);
  const isRead = request.method === "GET";
  response.writeHead(200, { "content-type": "application/json" });
  response.end(isRead ? answer : "{}");
});
server.listen(process.argv[2]);
