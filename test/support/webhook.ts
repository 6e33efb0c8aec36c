import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
  /** Everything that arrived, in order, repetitions included. */
  notices(): readonly SeenNotice[];
}

/** A real receiver of notices, which writes them down before it answers. */
export async function startWebhook(): Promise<Webhook> {
  const seen: SeenNotice[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { notices } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { notices: readonly SeenNotice[] };
      seen.push(...notices);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`, notices: () => seen };
}
