import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { DashboardConfig } from "../config/config.ts";
import { addressOf, findNetworkUrl, ownNames, readTls } from "./network.ts";

const INTERFACES = {
  lo: [{ address: "127.0.0.1", family: "IPv4", internal: true }],
  eth0: [
    { address: "fe80::1", family: "IPv6", internal: false },
    { address: "2001:db8::7", family: "IPv6", internal: false },
    { address: "192.168.1.5", family: "IPv4", internal: false },
  ],
} as never;
const PLAIN: DashboardConfig = { allowedHosts: [], tls: null, trustedProxies: [] };

describe("the dashboard for other devices", () => {
  it.each<[string, string | null, Partial<DashboardConfig>, string | null]>([
    ["does not exist while the daemon listens on loopback", "http://localhost:3000", {}, null],
    ["does not exist without a port", null, {}, null],
    ["is at this machine's address", "http://0.0.0.0:3000", {}, "http://192.168.1.5:3000"],
    ["is at the configured address", "https://192.168.1.9:3000", {}, "https://192.168.1.9:3000"],
    ["is under a listed name", "https://0.0.0.0:3000", { allowedHosts: ["box.lan"] }, "https://box.lan:3000"],
    [
      "is at the proxy's name",
      "http://localhost:3000",
      { allowedHosts: ["ao.example"], trustedProxies: ["127.0.0.1"] },
      "https://ao.example",
    ],
  ])("%s", (_name, url, config, expected) => {
    expect(findNetworkUrl(url, { ...PLAIN, ...config }, INTERFACES)).toBe(expected);
  });
});

it("a daemon accepts this machine's IP addresses as host names only if it listens beyond loopback", () => {
  expect(ownNames("127.0.0.1", INTERFACES)).toEqual([]);
  expect(ownNames("0.0.0.0", INTERFACES)).toEqual(["192.168.1.5", "[2001:db8::7]"]);
  expect(ownNames("192.168.1.5", INTERFACES)).toEqual(["192.168.1.5"]);
});

it("a URL has a scheme, and brackets around IPv6", () => {
  expect(addressOf({ host: "127.0.0.1", port: 3000, isTls: false })).toBe("http://localhost:3000");
  expect(addressOf({ host: "::", port: 3000, isTls: true })).toBe("https://[::]:3000");
});

it("an unreadable certificate is an error that names the key", () => {
  expect(readTls(null)).toBeNull();
  expect(() => readTls({ cert: "/nowhere.pem", key: "/nowhere.key" })).toThrow("dashboard.tls.cert");
});

it("a file that is not a certificate is an error before anything listens", () => {
  const pem = (name: string): string => fileURLToPath(new URL(`../../test/fixtures/tls/${name}.pem`, import.meta.url));
  expect(readTls({ cert: pem("cert"), key: pem("key") })?.cert).toContain("BEGIN CERTIFICATE");
  expect(() => readTls({ cert: pem("key"), key: pem("key") })).toThrow("not a certificate with its key");
});
