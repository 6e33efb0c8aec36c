import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts the connection, or leaves it without an answer. */
  readonly instead?: "cut" | "silence";
}

export interface NoticeReceiver {
  readonly host: string;
  readonly received: readonly Received[];
  answer: ReceiverAnswer;
}

/** A server that keeps what is posted to it, until the test ends. */
export async function startNoticeReceiver(): Promise<NoticeReceiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: await readBody(request) });
    const { status, instead, headers: extra = {} } = receiver.answer;
    if (instead === "cut") request.socket.destroy();
    // Like many frameworks, it echoes the requested path.
    else if (instead === undefined) response.writeHead(status, extra).end(`Cannot POST ${url}`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: NoticeReceiver = { host, received, answer: { status: 204 } };
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
