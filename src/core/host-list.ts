/** One host by its name or address, or every host below a name: `api.github.com`, `*.npmjs.org`, `10.0.0.7`, `localhost`. */
const PATTERN = /^(\*\.)?(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^[0-9a-f]*:[0-9a-f:.]+$/;

/** Can this be written in a list of hosts? No scheme, port or path: a list that is read differently than it was meant protects nobody. */
export function isHostPattern(text: string): boolean {
  return text.length <= 253 && PATTERN.test(text.toLowerCase());
}

/** The form in which hosts are compared: without case, brackets, or the dot at the end that a resolver ignores. */
export function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** Does the list name this host? `*.example.com` names hosts below it, not itself. */
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
