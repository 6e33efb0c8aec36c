import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { createSecureContext } from "node:tls";
import type { DashboardConfig } from "../config/config.ts";
import { AoError } from "../core/errors.ts";

const EVERYWHERE = ["0.0.0.0", "::"];
const LOOPBACK = /^(?:127\.|::1$|localhost$)/;

type Interfaces = ReturnType<typeof networkInterfaces>;

/** The dashboard's URL for people on this machine. */
export function addressOf(at: {
  readonly host: string;
  readonly port: number | null;
  readonly isTls: boolean;
}): string {
  const name = at.host === "127.0.0.1" ? "localhost" : inUrl(at.host);
  return `${at.isTls ? "https" : "http"}://${name}:${at.port}`;
}

/**
 * Host names of this machine that a daemon listening beyond loopback accepts. Only IP addresses: no web page can make a
 * browser use an IP address for its own name.
 */
export function ownNames(host: string, interfaces?: Interfaces): readonly string[] {
  if (LOOPBACK.test(host)) return [];
  return EVERYWHERE.includes(host) ? addressesOf(interfaces).map(inUrl) : [inUrl(host).toLowerCase()];
}

/** The dashboard's URL for other devices; null: the daemon listens only on this machine. */
export function findNetworkUrl(
  url: string | null,
  { allowedHosts: [name], trustedProxies }: DashboardConfig,
  interfaces?: Interfaces,
): string | null {
  if (name !== undefined && trustedProxies.length > 0) return `https://${name}`;
  if (url === null) return null;
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (LOOPBACK.test(host)) return null;
  const reached = name ?? (EVERYWHERE.includes(host) ? addressesOf(interfaces)[0] : host);
  return reached === undefined ? null : `${protocol}//${inUrl(reached)}:${port}`;
}

/** Certificate and key; null: not configured. */
export function readTls(tls: DashboardConfig["tls"]): { readonly cert: string; readonly key: string } | null {
  if (tls === null) return null;
  const read = { cert: readPem("cert", tls.cert), key: readPem("key", tls.key) };
  try {
    createSecureContext(read);
  } catch (cause) {
    throw new AoError({
      code: "config-invalid",
      message: `dashboard.tls: ${tls.cert} and ${tls.key} are not a certificate with its key (${(cause as Error).message})`,
      hint: "Both must be PEM files that belong together.",
      cause,
    });
  }
  return read;
}

function readPem(name: "cert" | "key", path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new AoError({
      code: "config-invalid",
      message: `dashboard.tls.${name}: cannot read ${path} (${why})`,
      hint: "Correct the path, or remove dashboard.tls to serve HTTP.",
      cause,
    });
  }
}

// IPv4 first, which people recognize; link-local addresses need a zone, which URLs cannot carry.
function addressesOf(interfaces: Interfaces = networkInterfaces()): readonly string[] {
  const all = Object.values(interfaces).flatMap((found) => found ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return outside.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address);
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
