import { describe, expect, it } from "vitest";
import { isOfThisMachine, isPrivate } from "./addresses.ts";

const OWN = ["192.168.1.20", "2001:db8::20", "172.17.0.1"];

describe("an address of this machine", () => {
  it.each([
    ...[
      "127.0.0.1",
      "127.8.9.1",
      "0.0.0.0",
      "::1",
      "::",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "fe80::1",
      "fe80::1%eth0",
    ],
    ...["169.254.169.254", "fd00:ec2::254", "168.63.129.16", "100.100.100.200"],
    ...[
      "192.168.1.20",
      "::ffff:192.168.1.20",
      "::ffff:c0a8:114",
      "2001:db8::20",
      "2001:DB8:0::20",
      "172.17.0.1",
      "no address",
    ],
  ])("is %s, which a listed name must not resolve to", (address) => {
    expect(isOfThisMachine(address, () => OWN)).toBe(true);
  });

  it.each(["192.168.1.21", "140.82.112.3", "2001:db8::21", "10.0.0.1"])("is not %s", (address) => {
    expect(isOfThisMachine(address, () => OWN)).toBe(false);
  });

  it("is each address of its interfaces at that moment", () => {
    let own: readonly string[] = [];
    expect(isOfThisMachine("10.9.8.7", () => own)).toBe(false);
    own = ["10.9.8.7"];
    expect(isOfThisMachine("10.9.8.7", () => own)).toBe(true);
  });
});

describe("a private address", () => {
  it.each([
    ...["10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "fc00::1", "fd12::1", "fec0::1"],
    "::ffff:10.1.2.3",
  ])("is %s", (address) => expect(isPrivate(address)).toBe(true));

  it.each(["11.0.0.1", "172.32.0.1", "192.169.0.1", "100.128.0.1", "140.82.112.3", "2606:50c0::1"])(
    "is not %s",
    (address) => expect(isPrivate(address)).toBe(false),
  );
});
