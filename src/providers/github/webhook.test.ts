import { createHmac } from "node:crypto";
import examples from "@octokit/webhooks-examples";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ForgeReport } from "../../core/change/forge-report.ts";
import type { Delivery } from "../../ports/webhook.ts";
import { githubWebhook } from "./webhook.ts";

const SECRET = "a secret of both sides";
// The package's types describe an ES module, but it is JSON.
const PUBLISHED = examples as unknown as readonly { readonly name: string; readonly examples: readonly unknown[] }[];

function aDelivery(body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): Delivery {
  return { header: (name) => headers[name], body: typeof body === "string" ? Buffer.from(body) : body };
}

function parse(event: string, payload: unknown): ForgeReport | null {
  return githubWebhook.parse(aDelivery(JSON.stringify(payload), { "x-github-event": event }));
}

function sign(body: string, secret = SECRET): Readonly<Record<string, string>> {
  return { "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
}

/** The result for the first published example that matches. */
function published(event: string, matches: (payload: never) => boolean = () => true): ForgeReport | null {
  const payload = PUBLISHED.find(({ name }) => name === event)?.examples.find((one) => matches(one as never));
  return parse(event, payload);
}

describe("GitHub webhooks", () => {
  it("accept or ignore every payload that GitHub publishes as an example", () => {
    const counts = { read: 0, ignored: 0 };
    for (const { name, examples: payloads } of PUBLISHED) {
      for (const payload of payloads) counts[parse(name, payload) === null ? "ignored" : "read"] += 1;
    }
    expect(counts.read + counts.ignored).toBe(329);
    expect(counts.read).toBeGreaterThan(250);
  });

  it("name the pull request in every published event about one", () => {
    const about = PUBLISHED.filter(({ name }) => name.startsWith("pull_request"));
    const missed = about.flatMap(({ name, examples: payloads }) =>
      payloads.filter((payload) => parse(name, payload)?.numbers.length !== 1).map(() => name),
    );
    expect([about.length, missed]).toEqual([4, []]);
  });

  it.each([
    ["check_run", { commits: ["ec26c3e57ca3a959ca5aad62de7213c562f8c821"], branches: ["changes"] }],
    ["status", { commits: ["6113728f27ae82c7b1a177c8d03f9e96e0adf246"] }],
    ["push", { branches: [] }],
    ["branch_protection_rule", { isAboutAll: true }],
    ["ping", { numbers: [], commits: [], branches: [], isAboutAll: false }],
  ])("report what a %s changed", (event, wanted) => {
    expect(published(event)).toMatchObject({ repository: expect.stringMatching(/^https:\/\//), ...wanted });
  });

  it("name a pushed branch, but no tag", () => {
    const repository = { html_url: "https://github.com/octo/demo" };
    expect(parse("push", { ref: "refs/heads/fix/a", repository })?.branches).toEqual(["fix/a"]);
    expect(parse("push", { ref: "refs/tags/v1", repository })?.branches).toEqual([]);
  });

  it("keep the readable parts of a payload that deviates from GitHub's documentation", () => {
    const repository = { html_url: "https://github.com/octo/demo" };
    const odd = {
      repository,
      pull_request: { number: "seven" },
      check_run: { head_sha: "abc", pull_requests: [null, 3] },
    };
    expect(parse("check_run", odd)).toMatchObject({ numbers: [], commits: ["abc"] });
  });

  it("parse a form-encoded payload", () => {
    const payload = JSON.stringify({ repository: { html_url: "https://github.com/octo/demo" }, issue: { number: 7 } });
    const body = new URLSearchParams({ payload }).toString();
    const delivery = aDelivery(body, { "content-type": "application/x-www-form-urlencoded" });
    expect(githubWebhook.parse(delivery)?.numbers).toEqual([7]);
  });

  it("are authentic only with this secret's signature of exactly these bytes", () => {
    const { isAuthentic } = githubWebhook;
    const body = '{"a":"ü"}';
    expect(isAuthentic(aDelivery(body, sign(body)), SECRET)).toBe(true);
    expect(isAuthentic(aDelivery(`${body} `, sign(body)), SECRET)).toBe(false);
    expect(isAuthentic(aDelivery(body, sign(body, "another")), SECRET)).toBe(false);
    for (const signature of ["", "sha256=", "sha256=zz", `sha1=${"0".repeat(40)}`, `sha256=${"0".repeat(63)}`])
      expect(isAuthentic(aDelivery(body, { "x-hub-signature-256": signature }), SECRET)).toBe(false);
  });

  it("parse any JSON without an error, and reject only what is not JSON", () => {
    const anything = fc.oneof(fc.jsonValue({ maxDepth: 6 }), anOddPayload());
    fc.assert(
      fc.property(anything, (payload) => void parse("check_run", payload)),
      { numRuns: 200 },
    );
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          githubWebhook.parse(aDelivery(body));
        } catch (error) {
          expect(error).toMatchObject({ code: "usage" });
        }
      }),
    );
  });
});

/** Published payloads with one value replaced. */
function anOddPayload(): fc.Arbitrary<unknown> {
  const all = PUBLISHED.flatMap(({ examples: payloads }) => payloads as readonly Readonly<Record<string, unknown>>[]);
  return fc
    .tuple(fc.nat(all.length - 1), fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 2 }))
    .map(([at, first, second, value]) => {
      const payload = all[at] ?? {};
      const key = Object.keys(payload)[first % Math.max(1, Object.keys(payload).length)] ?? "repository";
      const child = payload[key];
      if (child === null || typeof child !== "object" || second % 2 === 0) return { ...payload, [key]: value };
      const keys = Object.keys(child);
      return { ...payload, [key]: { ...child, [keys[second % Math.max(1, keys.length)] ?? "number"]: value } };
    });
}
