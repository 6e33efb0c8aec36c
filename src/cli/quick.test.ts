import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { main } from "./quick.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A daemon with one answer to everything; null: it hangs up. */
async function serve(answer: string | null): Promise<void> {
  const home = tempDir();
  vi.stubEnv("AO_HOME", home);
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => (answer === null ? socket.destroy() : socket.end(answer)));
  });
  await new Promise<void>((resolve) => server.listen(join(home, "ao.sock"), resolve));
  onTestFinished(() => void server.close());
}

it("leaves starting a daemon to the full program", async () => {
  vi.stubEnv("AO_HOME", join(tempDir(), "nobody"));
  expect(await main(["status"])).toBe(false);
});

it("leaves a socket outside a long AO_HOME to the full program", async () => {
  vi.stubEnv("AO_HOME", join(tempDir(), "a-long-name".repeat(10)));
  expect(await main(["list"])).toBe(false);
});

it.each([
  ["refuses", "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\n{}"],
  ["gives no JSON", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"],
  ["breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"],
  ["hangs up", null],
])("leaves a daemon that %s to the full program", async (_what, answer) => {
  await serve(answer);
  expect(await main(["list"])).toBe(false);
});

it("leaves an agent's session to the full program, which shows it in detail", async () => {
  await serve(null);
  vi.stubEnv("AO_SESSION", "demo-1");
  expect(await main(["status"])).toBe(false);
});
