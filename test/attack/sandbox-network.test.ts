import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { begin, hasBubblewrap, note, run, shellAgent } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { processesOf, shareFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";

const ask = `${process.execPath} ${fileURLToPath(new URL("../fixtures/bin/ask.mjs", import.meta.url))}`;
const REFUSED = /^HTTP\/1.1 403 /;
const OTHER_NAMES = ["localhost", "127.1", "2130706433", "[::ffff:127.0.0.1]", ownAddress(), "listed.invalid"];
const UNREACHABLE = /^(ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/;

describe.skipIf(!hasBubblewrap)(`an agent in a sandbox with a list of hosts${note}`, () => {
  const server = createServer((_, response) => response.end("hello"));
  const fleet = shareFleet({
    agentConfig: {
      command: [shellAgent],
      sandbox: { plugin: "bubblewrap", network: ["127.0.0.1", "*.listed.invalid"] },
    },
  });
  let [id, port] = ["", 0];
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "0.0.0.0", done));
    ({ port } = server.address() as AddressInfo);
    ({ id } = await begin(fleet(), "network"));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("reaches a listed host through the proxy", async () => {
    expect(await run(fleet(), id, `${ask} proxy 127.0.0.1 ${port}`)).toMatch(/^HTTP\/1.1 200 .*hello$/s);
  });

  it("is refused every other host, and its output and the timeline say so", async () => {
    expect(await run(fleet(), id, `${ask} proxy evil.example 443`)).toMatch(REFUSED);
    const events = await until("the event", async () => {
      const text = await ao(fleet(), "events", "--session", id);
      return text.includes("evil.example") ? text : false;
    });
    expect(events).toContain("network: refused evil.example, not in the sandbox's list of hosts");
    expect(await ao(fleet(), "logs", id)).toContain("ao: refused: evil.example is not in the sandbox's list");
  });

  it.each([
    ["the listed host past the proxy", "direct 127.0.0.1"],
    ["this machine by its address", `direct ${ownAddress()}`],
    ["an address elsewhere", "direct 192.0.2.1"],
    ["a server for names", "udp 192.0.2.53"],
    ["a name", "name listed.invalid"],
    ["a name that others resolve", "name example.com"],
  ])("does not reach %s", async (_, way) => {
    expect(await run(fleet(), id, `${ask} ${way} ${port}`)).toMatch(UNREACHABLE);
  });

  // src/gate/proxy.test.ts tries many more.
  it.each(isFull ? OTHER_NAMES : OTHER_NAMES.slice(0, 1))(
    "is refused %s, through the port and through the socket behind it",
    async (host) => {
      expect(await run(fleet(), id, `${ask} proxy '${host}' ${port}`)).toMatch(REFUSED);
      expect(await run(fleet(), id, `${ask} socket '${host}' ${port}`)).toMatch(REFUSED);
    },
  );

  it("cannot replace the proxy's socket", async () => {
    const command = "rm -f /run/ao-network/proxy.sock; mv /run/ao-network /run/x; touch /run/ao-network/x";
    expect(await run(fleet(), id, command)).toMatch(/Read-only file system|Device or resource busy/);
  });

  it("leaves no proxy running", async () => {
    await ao(fleet(), "stop", id);
    await until("everything to end", () => processesOf(fleet().home).length === 0);
  });
});

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "192.0.2.2";
}
