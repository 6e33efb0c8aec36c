/**
 * One host by name or address, or every host below a name: `api.github.com`, `*.npmjs.org`, `10.0.0.7`, `localhost`.
 */
const PATTERN = /^(\*\.)?(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^[0-9a-f]*:[0-9a-f:.]+$/;

/**
 * Is this valid in a list of hosts? No scheme, port or path: a list that is interpreted differently than intended
 * protects nobody.
 */
export function isHostPattern(text: string): boolean {
  return text.length <= 253 && PATTERN.test(text.toLowerCase());
}

/** The form in which hosts are compared: lower case, without brackets or the trailing dot that a resolver ignores. */
export function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** Does the list contain this host? `*.example.com` covers hosts below it, not itself. */
export function isListed(patterns: readonly string[], host: string): boolean {
  const asked = normalizeHost(host);
  return patterns
    .map((pattern) => pattern.toLowerCase())
    .some((pattern) =>
      pattern.startsWith("*.")
        ? asked.endsWith(pattern.slice(1)) && asked.length > pattern.length - 1
        : asked === pattern,
    );
}
