import type { CheckSandbox } from "../check-sandbox.ts";
import { lineOf } from "../reaction/template.ts";

/** What a sandbox kept from a check that failed. */
export interface Refusal {
  readonly kind: "host" | "path";
  /** The host or path; null: its output does not say which. */
  readonly what: string | null;
  /** The setting of the check that allows it, as one line. */
  readonly allow: string;
}

const NAME = "([A-Za-z0-9][A-Za-z0-9.-]*\\.[A-Za-z0-9-]+)";

/** How programs say that they could not reach a host: ao's proxy, Node, curl and git, Go, Python, the JVM, apt. */
const HOSTS: readonly RegExp[] = [
  /^ao: refused: (\S+) /m,
  new RegExp(`getaddrinfo (?:EAI_AGAIN|ENOTFOUND|EAI_NODATA) ${NAME}`),
  new RegExp(`Could not resolve (?:host|proxy):? '?${NAME}`, "i"),
  new RegExp(`\\blookup ${NAME}(?: on \\S+)?: `),
  new RegExp(`Failed to resolve '${NAME}'`),
  new RegExp(`HTTPS?ConnectionPool\\(host='${NAME}'`),
  new RegExp(`UnknownHostException: ${NAME}`),
  new RegExp(`(?:Temporary failure|Could not) resolv(?:ing|e) '${NAME}'`),
  /connect ENETUNREACH (\d+\.\d+\.\d+\.\d+)/,
];

/** Names that resolve nowhere, so that tests use them on purpose. */
const NOWHERE = /(?:^|\.)(?:invalid|test|example|localhost|example\.(?:com|net|org))\.?$/i;

/** How programs say that they could not write: Node, Python, and whatever prints the words of the C library. */
const PATHS: readonly RegExp[] = [
  /EROFS: read-only file system, \w+ '(\/[^'\n]+)'/,
  /Read-only file system: '(\/[^'\n]+)'/i,
  /(\/[^\s'"`‘’:]+)['"`’]?:? Read-only file system/i,
];
const READ_ONLY = /\bEROFS\b|Read-only file system|\bos error 30\b/i;

/** What the log of a failed check says that its sandbox refused; null: nothing. */
export function findRefusal(
  log: string,
  { check, isSetUp }: { readonly check: string; readonly isSetUp: boolean },
  sandbox: CheckSandbox,
): Refusal | null {
  const network = isSetUp ? sandbox.setUpNetwork : sandbox.network;
  const host = network === "all" ? null : findHost(log);
  if (host !== null) {
    const listed = typeof sandbox.network === "string" ? [] : sandbox.network;
    return { kind: "host", what: host, allow: settingFor(check, { ...sandbox, network: [...listed, host] }) };
  }
  if (!READ_ONLY.test(log)) return null;
  const what = first(log, PATHS);
  const writable = [...sandbox.writable, what ?? "/PATH"];
  return { kind: "path", what, allow: settingFor(check, { ...sandbox, writable }) };
}

/** The path that a program could not write because it is read-only; null: the text names none. */
export function findReadOnlyPath(text: string): string | null {
  return READ_ONLY.test(text) ? first(text, PATHS) : null;
}

/** A refusal as the reason why a check says nothing about its commit. */
export function describeRefusal({ kind, what, allow }: Refusal): string {
  const refused = kind === "host" ? `cannot reach ${what}` : `cannot write ${what === null ? "a path outside" : what}`;
  return `${refused} in its sandbox; to allow it, set \`${allow}\` and run the check again`;
}

function findHost(log: string): string | null {
  for (const pattern of HOSTS) {
    for (const [, name] of log.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      if (name !== undefined && !NOWHERE.test(name)) return lineOf(name).slice(0, MAX);
    }
  }
  return null;
}

const MAX = 200;

function first(log: string, patterns: readonly RegExp[]): string | null {
  const found = patterns.map((pattern) => pattern.exec(log)?.[1]).find((one) => one !== undefined);
  return found === undefined ? null : lineOf(found).slice(0, MAX);
}

function settingFor(check: string, { network, writable }: Pick<CheckSandbox, "network" | "writable">): string {
  const hosts = typeof network === "string" ? network : `[${network.map(quote).join(", ")}]`;
  const paths = writable.length === 0 ? "" : `, writable: [${writable.map(quote).join(", ")}]`;
  return `checks.${check}.sandbox: { network: ${hosts}${paths} }`;
}

function quote(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : JSON.stringify(text);
}
