import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** This machine by every name that needs no look at its interfaces, and the metadata services of clouds. */
const NEAR = blockList(
  ...["127.0.0.0/8", "0.0.0.0/8", "169.254.0.0/16", "::1/128", "::/128", "fe80::/10"],
  ...["fd00:ec2::254/128", "168.63.129.16/32", "100.100.100.200/32"],
);

/** Networks of a home, an office, a provider or containers. */
const PRIVATE = blockList(
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"],
  ...["fc00::/7", "fec0::/10"],
);

/** Is this an address of this machine, now? Interfaces come and go: a VPN, a bridge of containers. */
export function isOfThisMachine(
  address: string,
  ownAddresses: () => readonly string[] = addressesOfInterfaces,
): boolean {
  return isWithin(NEAR, address) || isWithin(blockList(...ownAddresses()), address);
}

/** Is this an address of a private network? */
export function isPrivate(address: string): boolean {
  return isWithin(PRIVATE, address);
}

function addressesOfInterfaces(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}

// What is no address is never connected to. A list of IPv4 addresses covers those that are written as IPv6, too.
function isWithin(list: BlockList, address: string): boolean {
  const plain = withoutZone(address);
  const family = isIP(plain);
  return family === 0 || list.check(plain, family === 6 ? "ipv6" : "ipv4");
}

function blockList(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = withoutZone(network).split("/");
    const family = isIP(address);
    if (family === 0) continue;
    const type = family === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}

/** `fe80::1%eth0` names the interface, too. */
function withoutZone(address: string): string {
  return address.replace(/%[^/]*/, "");
}
