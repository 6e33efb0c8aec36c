import { BlockList, isIP } from "node:net";

/** The other end of a connection, as the daemon itself sees it. */
export interface Peer {
  /** null: the Unix socket. */
  readonly address: string | null;
  readonly isTls: boolean;
}

/** For requests with an unknown connection. */
export const NO_PEER: Peer = { address: null, isTls: false };

/** A request as its sender made it, whatever proxies are in between. */
export interface Seen {
  /** Name and port that the sender called. */
  readonly host: string | undefined;
  /** The sender's connection is encrypted. */
  readonly isSecure: boolean;
  /** Came through a trusted proxy, so the host names of this connection are the proxy's. */
  readonly isForwarded: boolean;
}

export type HeaderOf = (name: string) => string | undefined;

/**
 * What a request looked like to its sender. A proxy's claims count only if the proxy is listed: anyone else could claim
 * to be encrypted, or to have called another name.
 */
export function seenAs(header: HeaderOf, peer: Peer, isTrusted: (address: string) => boolean): Seen {
  const host = header("host");
  if (peer.address === null || !isTrusted(peer.address)) return { host, isSecure: peer.isTls, isForwarded: false };
  const proto = first(header("x-forwarded-proto"));
  return {
    host: first(header("x-forwarded-host")) ?? host,
    isSecure: proto === undefined ? peer.isTls : proto === "https",
    isForwarded: true,
  };
}

/** Creates a test for whether an address is in these addresses and ranges. */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = familyOf(address);
    if (family === null) continue;
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    // An IPv4 connection to a dual-stack socket.
    const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
    const family = familyOf(plain);
    return family !== null && list.check(plain, family);
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? "ipv4" : "ipv6";
}

// Each proxy in a chain appends its own value.
function first(value: string | undefined): string | undefined {
  return value?.split(",")[0]?.trim() || undefined;
}
