import { createServer } from "node:http";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { tempDir } from "../../src/testing/temp.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A daemon on the socket of a fresh AO_HOME that answers each call like this; the calls are noted. */
export async function serveDaemon(answer: (call: string) => Answer | Promise<Answer>): Promise<readonly string[]> {
  const home = tempDir();
  vi.stubEnv("AO_HOME", home);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${request.url?.split("?")[0]}`;
    asked.push(call);
    const { status, body } = await answer(call);
    response.statusCode = status;
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(join(home, "ao.sock"), resolve));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return asked;
}
