import { describe, expect, it } from "vitest";
import { describeRefusal, findRefusal } from "./find-refusal.ts";

const closed = { network: "none", writable: [], setUpNetwork: "all" } as const;
const listed = { network: ["a.dev"], writable: ["~/data"], setUpNetwork: "all" } as const;
const open = { network: "all", writable: [], setUpNetwork: "all" } as const;
const run = { check: "test", isSetUp: false };

describe("what a failed check says that its sandbox refused", () => {
  it.each([
    ["Error: getaddrinfo EAI_AGAIN registry.npmjs.org", "registry.npmjs.org"],
    ["curl: (6) Could not resolve host: api.github.com", "api.github.com"],
    ["fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com", "github.com"],
    ["dial tcp: lookup proxy.golang.org on 1.1.1.1:53: no such host", "proxy.golang.org"],
    ["HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded", "pypi.org"],
    ["java.net.UnknownHostException: repo.maven.apache.org", "repo.maven.apache.org"],
    ["ao: refused: evil.dev is not in the sandbox's list of hosts (agentConfig.sandbox.network)", "evil.dev"],
    ["Error: connect ENETUNREACH 10.1.2.3:5432", "10.1.2.3"],
  ])("host: %s", (log, host) => {
    expect(findRefusal(`some\n${log}\nmore`, run, closed)).toEqual({
      kind: "host",
      what: host,
      allow: `checks.test.sandbox: { network: [${host}] }`,
    });
  });

  it.each([
    ["Error: EROFS: read-only file system, open '/opt/cache/x'", "/opt/cache/x"],
    ["touch: cannot touch '/srv/data': Read-only file system", "/srv/data"],
    ["OSError: [Errno 30] Read-only file system: '/var/lib/x'", "/var/lib/x"],
    ["sh: 1: cannot create /etc/x: Read-only file system", "/etc/x"],
    ["open /usr/local/x: read-only file system", "/usr/local/x"],
  ])("path: %s", (log, path) => {
    const allow = `checks.test.sandbox: { network: all, writable: [${path}] }`;
    expect(findRefusal(log, run, open)).toEqual({ kind: "path", what: path, allow });
  });

  it("adds to what the check has already", () => {
    expect(findRefusal("Could not resolve host: b.dev", run, listed)?.allow).toBe(
      "checks.test.sandbox: { network: [a.dev, b.dev], writable: [~/data] }",
    );
  });

  it("is nothing where the network is open, for names that exist nowhere, and for other failures", () => {
    expect(findRefusal("getaddrinfo ENOTFOUND registry.npmjs.org", run, open)).toBeNull();
    expect(findRefusal("getaddrinfo ENOTFOUND registry.npmjs.org", { ...run, isSetUp: true }, closed)).toBeNull();
    expect(findRefusal("getaddrinfo ENOTFOUND nothing.invalid", run, closed)).toBeNull();
    expect(findRefusal("connect ECONNREFUSED 127.0.0.1:5432\n1 test failed", run, closed)).toBeNull();
    expect(findRefusal("AssertionError: expected 1 to be 2", run, closed)).toBeNull();
  });

  it("is told with the setting that allows it", () => {
    const refusal = findRefusal("Could not resolve host: b.dev", run, closed);
    expect(refusal === null ? "" : describeRefusal(refusal)).toBe(
      "cannot reach b.dev in its sandbox; to allow it, set `checks.test.sandbox: { network: [b.dev] }` and run the check again",
    );
  });

  it("is found in a long log without delay", () => {
    const long = `${"/a".repeat(8000)} ${"getaddrinfo ENOTFOUND ".repeat(500)}`;
    const started = performance.now();
    findRefusal(long.repeat(2), run, closed);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
