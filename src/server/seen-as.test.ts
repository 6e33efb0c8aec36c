import { describe, expect, it } from "vitest";
import { addressMatcher, seenAs } from "./seen-as.ts";

const FORWARDED: Readonly<Record<string, string>> = {
  host: "127.0.0.1:3000",
  "x-forwarded-host": "ao.example",
  "x-forwarded-proto": "https",
};
const header = (name: string): string | undefined => FORWARDED[name];

describe("a request", () => {
  const isTrusted = addressMatcher(["10.0.0.2"]);

  it("through a listed proxy is seen as its sender made it", () => {
    const seen = seenAs(header, { address: "10.0.0.2", isTls: false }, isTrusted);
    expect(seen).toEqual({ host: "ao.example", isSecure: true, isForwarded: true });
  });

  it.each([
    ["from anyone else", { address: "10.0.0.3", isTls: false }],
    ["from the Unix socket", { address: null, isTls: false }],
  ])("%s gains nothing from what it claims", (_name, peer) => {
    expect(seenAs(header, peer, isTrusted)).toEqual({ host: "127.0.0.1:3000", isSecure: false, isForwarded: false });
  });

  it("over TLS is secure without any proxy", () => {
    expect(seenAs(() => undefined, { address: "192.0.2.1", isTls: true }, isTrusted).isSecure).toBe(true);
  });
});

describe("a list of addresses", () => {
  const matches = addressMatcher(["10.0.0.0/8", "192.0.2.7", "fd00::/8", "no address"]);

  it.each([
    ["10.1.2.3", true],
    ["11.0.0.1", false],
    ["192.0.2.7", true],
    ["::ffff:10.1.2.3", true],
    ["fd12::1", true],
    ["fe80::1", false],
    ["nonsense", false],
  ])("with %s: %s", (address, expected) => {
    expect(matches(address)).toBe(expected);
  });
});
