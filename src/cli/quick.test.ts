import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { main } from "./quick.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A daemon that gives one answer to everything; null: it hangs up. */
async function serve(answer: string | null): Promise<void> {
  const home = tempDir();
  vi.stubEnv("AO_HOME", home);
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => (answer === null ? socket.destroy() : socket.end(answer)));
  });
  await new Promise<void>((resolve) => server.listen(join(home, "ao.sock"), resolve));
  onTestFinished(() => void server.close());
}

it("leaves it to the whole program to start a daemon", async () => {
  vi.stubEnv("AO_HOME", join(tempDir(), "nobody"));
  expect(await main(["status"])).toBe(false);
});

it("leaves it to the whole program to use a socket outside of a long AO_HOME", async () => {
  vi.stubEnv("AO_HOME", join(tempDir(), "a-long-name".repeat(10)));
  expect(await main(["list"])).toBe(false);
});

it.each([
  ["refuses", "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\n{}"],
  ["gives no JSON", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"],
  ["breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"],
  ["hangs up", null],
])("leaves it to the whole program to deal with a daemon that %s", async (_what, answer) => {
  await serve(answer);
  expect(await main(["list"])).toBe(false);
});

it("leaves the session of an agent to the whole program, which shows it in detail", async () => {
  await serve(null);
  vi.stubEnv("AO_SESSION", "demo-1");
  expect(await main(["status"])).toBe(false);
});
