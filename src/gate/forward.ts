import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Only about one connection, so they end here; what announces trailers or another protocol does, too. */
const HOP_BY_HOP = [
  ...["connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate"],
  ...["te", "trailer", "transfer-encoding", "upgrade", "expect"],
];

/** A request to send on, over a connection that is open. */
export interface Onward {
  readonly url: URL;
  readonly reached: Socket;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Called at most once, with what was wrong. */
  readonly onTrouble: (reason: string) => void;
}

/**
 * Sends a request on and its answer back. Both sides may send anything: what cannot be passed on ends this request, with
 * 502 if nothing was answered yet.
 */
export function forward(onward: Onward): void {
  const { url, reached, incoming, outgoing } = onward;
  const fail = failOnce(onward);
  outgoing.on("close", () => reached.destroy()).on("error", () => reached.destroy());
  try {
    const sent = request({
      createConnection: () => reached,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(incoming.headers), ...framingOf(incoming), host: url.host, connection: "close" },
    });
    sent.on("error", (error) => fail(error.message));
    sent.on("upgrade", () => fail("it changes to another protocol, which this proxy passes on only after CONNECT"));
    sent.on("response", (answer) => passBack(answer, outgoing, fail));
    incoming.on("error", () => sent.destroy());
    incoming.pipe(sent);
  } catch (error) {
    fail((error as Error).message);
  }
}

function passBack(answer: IncomingMessage, outgoing: ServerResponse, fail: (reason: string) => void): void {
  answer.on("error", (error) => fail(error.message));
  const status = answer.statusCode ?? 0;
  try {
    if (status < 200) throw new RangeError(`its status is ${status}`);
    outgoing.writeHead(status, { ...endToEnd(answer.headers), connection: "close" });
    answer.pipe(outgoing);
  } catch (error) {
    fail((error as Error).message);
  }
}

// A status that was written cannot be taken back: the client sees that the answer is cut.
function failOnce({ outgoing, reached, onTrouble }: Onward): (reason: string) => void {
  let hasFailed = false;
  return (reason) => {
    reached.destroy();
    if (hasFailed || outgoing.destroyed || outgoing.writableEnded) return;
    hasFailed = true;
    onTrouble(reason);
    if (outgoing.headersSent) outgoing.destroy();
    else answerWith(outgoing, 502, `the answer cannot be passed on: ${reason}`);
  };
}

/** A short answer by the proxy itself. */
export function answerWith(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`ao: ${text}\n`);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  // What frames the body stays, even if the other side calls it its own.
  dropped.delete("content-length");
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

// Node decodes the chunks of a body; they are made again.
function framingOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  return headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
}
