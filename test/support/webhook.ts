import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A notice as it arrived. */
export interface SeenNotice {
  readonly id: string;
  readonly priority: string;
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly sessionId: string | null;
  readonly act: string | null;
}

export interface Webhook {
  readonly url: string;
  /** Everything that arrived, in order, including duplicates. */
  notices(): readonly SeenNotice[];
}

/** A real receiver of notices, which records them before it answers. */
export async function startWebhook(): Promise<Webhook> {
  const seen: SeenNotice[] = [];
  const url = await startReceiver(async ({ body }) => {
    seen.push(...(JSON.parse(body) as { notices: readonly SeenNotice[] }).notices);
    return 204;
  });
  return { url, notices: () => seen };
}

interface Received {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server on this machine that answers each request with the status it is given, until the test ends. */
export async function startReceiver(receive: (request: Received) => Promise<number>): Promise<string> {
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const status = await receive({ body: await text(request), headers }).catch(() => 503);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`;
}
