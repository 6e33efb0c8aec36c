import { createHmac } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWebhooks } from "../../src/app/webhooks/webhooks.ts";
import type { ForgeReport } from "../../src/core/change/forge-report.ts";
import type { ServerOptions } from "../../src/server/create-server.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { aServer } from "../support/server.ts";

const SECRET = "a secret of both sides";
const GITHUB = "/api/webhooks/github";
const GITLAB = "/api/webhooks/gitlab";
const BODY = JSON.stringify({ repository: { html_url: "https://github.com/octo/demo" }, pull_request: { number: 7 } });
const MIB = 1024 * 1024;

type Headers = Readonly<Record<string, string>>;
interface Delivery {
  readonly path?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Headers;
}

/** The webhooks of a daemon whose engine records what it is told to read. */
function open() {
  const reports: ForgeReport[] = [];
  const webhooks = createWebhooks(
    {
      host: { env: { GITHUB_WEBHOOK_SECRET: SECRET, GITLAB_WEBHOOK_SECRET: SECRET }, clock: createFakeClock(0) },
      keys: new Map(),
      paths: { deliveries: join(tempDir(), "deliveries.jsonl") },
      engine: { report: (report: ForgeReport) => reports.push(report) },
    } as never,
    { publicUrl: "https://hooks.example", ownUrl: () => null },
  );
  const passedThrough = {
    "POST /api/webhooks/:scm": ({ params, raw }) => webhooks.receive(params.scm, raw),
  } as ServerOptions["passedThrough"];
  const { ask } = aServer({ passedThrough, webhookHosts: ["hooks.example"] });
  return { reports, ask };
}

const hmac = (body: string | Uint8Array, secret = SECRET, algorithm = "sha256"): string =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;

/** A delivery with GitHub's own proof. */
function signed(body: string | Uint8Array<ArrayBuffer> = BODY, headers: Headers = {}): Delivery {
  return { body, headers: { "x-hub-signature-256": hmac(body), "x-github-delivery": "d-1", ...headers } };
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "utf16le"));
}

const unsigned = (proof: Headers): Delivery => ({ body: BODY, headers: { "x-github-delivery": "d-1", ...proof } });

describe("a delivery does not reach the forge's reader:", () => {
  it.each<[string, Delivery]>([
    ["signed with an empty secret", unsigned({ "x-hub-signature-256": hmac(BODY, "") })],
    ["signed with another secret", unsigned({ "x-hub-signature-256": hmac(BODY, "guess") })],
    ["signed with sha1 of the right secret", unsigned({ "x-hub-signature-256": hmac(BODY, SECRET, "sha1") })],
    ["signed in the older header only", unsigned({ "x-hub-signature": hmac(BODY, SECRET, "sha1") })],
    ["with an empty signature", unsigned({ "x-hub-signature-256": "" })],
    ["with the algorithm alone", unsigned({ "x-hub-signature-256": "sha256=" })],
    ["with half of the signature", unsigned({ "x-hub-signature-256": hmac(BODY).slice(0, 40) })],
    ["with a longer signature", unsigned({ "x-hub-signature-256": `${hmac(BODY)}00` })],
    ["with two signatures, the wrong one first", unsigned({ "x-hub-signature-256": `sha256=00, ${hmac(BODY)}` })],
    ["with two signatures, the right one first", unsigned({ "x-hub-signature-256": `${hmac(BODY)}, sha256=00` })],
    [
      "with a signature in capital letters that are no digits",
      unsigned({ "x-hub-signature-256": `sha256=${"Z".repeat(64)}` }),
    ],
    ["with GitLab's token on GitHub's route", unsigned({ "x-gitlab-token": SECRET })],
    ["with GitHub's signature on GitLab's route", { ...signed(), path: GITLAB }],
    ["with a token of ao in place of GitLab's", { path: GITLAB, body: "{}", headers: { "x-gitlab-token": "ao_main" } }],
    ["with a space after GitLab's token", { path: GITLAB, body: "{}", headers: { "x-gitlab-token": `${SECRET}x` } }],
    ["for a forge named __proto__", { ...signed(), path: "/api/webhooks/__proto__" }],
    ["for a forge named constructor", { ...signed(), path: "/api/webhooks/constructor" }],
    ["for a forge whose name is encoded", { ...signed(), path: "/api/webhooks/git%68ub%2f" }],
    ["for a forge above its folder", { ...signed(), path: "/api/webhooks/../webhooks/none" }],
    ["from a page of another site", signed(BODY, { origin: "https://evil.example" })],
    ["under another host name", signed(BODY, { host: "evil.example" })],
    ["without an id", signed(BODY, { "x-github-delivery": "" })],
    ["with an id of 10,000 characters", signed(BODY, { "x-github-delivery": "d".repeat(10_000) })],
    ["that is 6 MB of open brackets", signed("[".repeat(6 * MIB))],
    ["that is UTF-16", signed(utf16(BODY))],
    ["that is half a text", signed(BODY.slice(0, 20))],
    ["that is no text", signed(new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28]))],
    ["that is larger than 8 MiB", signed(" ".repeat(8 * MIB + 1))],
  ])("%s", async (_, { path = GITHUB, body, headers }) => {
    const { reports, ask } = open();
    const answer = await ask(path, {
      method: "POST",
      body: body ?? BODY,
      ...(headers === undefined ? {} : { headers }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(reports).toEqual([]);
    expect(await answer.text()).not.toContain(SECRET);
  });
});

describe("a signed delivery names nothing but pull requests to read:", () => {
  const demo = { repository: { html_url: "https://github.com/octo/demo" } };
  it.each<[string, unknown, readonly number[]]>([
    ["a list instead of an object", [demo], []],
    ["null", null, []],
    ["a number", 7, []],
    ["a pull request whose number is a text", { ...demo, pull_request: { number: "7" } }, []],
    ["a negative number", { ...demo, pull_request: { number: -7 } }, []],
    ["half a number", { ...demo, pull_request: { number: 7.5 } }, []],
    ["a number beyond all", { ...demo, pull_request: { number: 1e300 } }, []],
    ["a repository that is no address", { repository: { html_url: 7 }, pull_request: { number: 7 } }, []],
    ["its own prototype", JSON.parse('{"__proto__":{"pull_request":{"number":7}}}'), []],
    ["the prototype of all", JSON.parse('{"constructor":{"prototype":{"number":7}}}'), []],
  ])("%s", async (_, body, numbers) => {
    const { reports, ask } = open();
    const { headers, body: text } = signed(JSON.stringify(body));
    const { status } = await ask(GITHUB, { method: "POST", body: text as string, headers: headers as Headers });
    expect([202, 400]).toContain(status);
    expect(reports.flatMap((report) => report.numbers ?? [])).toEqual(numbers);
    expect(({} as { number?: unknown }).number).toBeUndefined();
  });

  it("at most a bounded number of them", async () => {
    const { reports, ask } = open();
    const pulls = Array.from({ length: 200_000 }, (_, at) => ({ number: at + 1 }));
    const body = JSON.stringify({ ...demo, check_suite: { head_sha: "a".repeat(40), pull_requests: pulls } });
    const { headers } = signed(body);
    const { status } = await ask(GITHUB, { method: "POST", body, headers: headers as Headers });
    expect([status, reports.length]).toEqual([202, 1]);
    expect(reports.flatMap((report) => report.numbers ?? []).length).toBeLessThanOrEqual(1000);
  });
});
