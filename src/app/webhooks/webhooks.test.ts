import { createHmac } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aServer } from "../../../test/support/server.ts";
import type { ForgeReport } from "../../core/change/forge-report.ts";
import type { ServerOptions } from "../../server/create-server.ts";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { HOOK_EXAMPLES } from "../../testing/fake-gitlab/hook-examples.ts";
import { tempDir } from "../../testing/temp.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

const SECRET = "a secret of both sides";
const BODY = JSON.stringify({ repository: { html_url: "https://github.com/octo/demo" }, pull_request: { number: 7 } });

type Headers = Readonly<Record<string, string>>;

/** A daemon's webhooks; `restart` returns those of the next daemon of the same AO_HOME. */
function aScene(env: Headers = { GITHUB_WEBHOOK_SECRET: SECRET, GITLAB_WEBHOOK_SECRET: SECRET }) {
  const reports: ForgeReport[] = [];
  const deliveries = join(tempDir(), "deliveries.jsonl");
  const open = (): Webhooks =>
    createWebhooks(
      {
        host: { env, clock: createFakeClock(0) },
        keys: new Map(),
        paths: { deliveries },
        engine: { report: (report: ForgeReport) => reports.push(report) },
      } as never,
      { publicUrl: "https://hooks.example", ownUrl: () => null },
    );
  const start = () => {
    const webhooks = open();
    const passedThrough = {
      "POST /api/webhooks/:scm": ({ params, raw }) => webhooks.receive(params.scm, raw),
    } as ServerOptions["passedThrough"];
    return { webhooks, ...aServer({ passedThrough, webhookHosts: ["hooks.example"] }) };
  };
  return { reports, deliveries, start };
}

function signed(body = BODY, more: Headers = {}): RequestInit {
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const headers = { "x-hub-signature-256": `sha256=${signature}`, "x-github-delivery": "d-1", ...more };
  return { method: "POST", body, headers };
}

const PATH = "/api/webhooks/github";

function ofGitlab(body: unknown, more: Headers = {}): RequestInit {
  const headers = { "x-gitlab-token": SECRET, "idempotency-key": "d-1", "x-gitlab-event-uuid": "e-1", ...more };
  return { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers };
}

const GITLAB = "/api/webhooks/gitlab";

function aMergeRequest(state: string): object {
  const project = { web_url: "https://gitlab.com/a/b" };
  return { object_kind: "merge_request", project, object_attributes: { iid: 7, state } };
}

describe("the GitLab webhook route", () => {
  it("processes each documented event once, though GitLab resends it, even after a restart", async () => {
    const { reports, start } = aScene();
    const ids = HOOK_EXAMPLES.map((_, index) => ({ "idempotency-key": `d-${index}` }));
    for (const status of [202, 409]) {
      const { ask } = start();
      const answers = HOOK_EXAMPLES.map(({ payload }, index) => ask(GITLAB, ofGitlab(payload, ids[index])));
      expect(new Set((await Promise.all(answers)).map((answer) => answer.status))).toEqual(new Set([status]));
    }
    expect(reports).toHaveLength(HOOK_EXAMPLES.filter(({ about }) => about !== null).length);
  });

  it("uses a delivery only to know what to read, so that a late one does no harm", async () => {
    const { reports, start } = aScene();
    const { ask } = start();
    for (const [id, state] of Object.entries({ "d-2": "merged", "d-1": "opened" }))
      await ask(GITLAB, ofGitlab(aMergeRequest(state), { "idempotency-key": id }));
    expect(reports).toMatchObject([{ numbers: [7] }, { numbers: [7] }]);
    expect(JSON.stringify(reports)).not.toMatch(/merged|opened/);
  });
});

describe("the webhook route", () => {
  it("processes a signed delivery once, and not again after a restart", async () => {
    const { reports, start } = aScene();
    const { ask } = start();
    expect((await ask(PATH, signed())).status).toBe(202);
    expect((await ask(PATH, signed())).status).toBe(409);
    expect((await start().ask(PATH, signed())).status).toBe(409);
    expect((await start().ask(PATH, signed(BODY, { "x-github-delivery": "d-2" }))).status).toBe(202);
    expect(reports).toMatchObject([{ numbers: [7] }, { numbers: [7] }]);
  });

  it("remembers a delivery that follows a line which a power cut tore", async () => {
    const { deliveries, start } = aScene();
    const next = signed(BODY, { "x-github-delivery": "d-2" });
    await start().ask(PATH, signed());
    appendFileSync(deliveries, '{"scm":"git');
    expect((await start().ask(PATH, next)).status).toBe(202);
    expect((await start().ask(PATH, next)).status).toBe(409);
  });

  it("accepts late and reordered deliveries, and uses them only to know what to read", async () => {
    const { reports, start } = aScene();
    const { ask } = start();
    for (const [id, action] of Object.entries({ "d-9": "closed", "d-1": "opened" })) {
      const { status } = await ask(
        PATH,
        signed(JSON.stringify({ ...JSON.parse(BODY), action }), { "x-github-delivery": id }),
      );
      expect(status).toBe(202);
    }
    expect(reports).toMatchObject([{ numbers: [7] }, { numbers: [7] }]);
    expect(JSON.stringify(reports)).not.toMatch(/opened|closed/);
  });

  it.each<[string, number, string, RequestInit]>([
    ["without a signature", 401, PATH, { method: "POST", body: BODY, headers: { "x-github-delivery": "d-1" } }],
    ["with the signature of another body", 401, PATH, { ...signed(), body: `${BODY} ` }],
    ["with another algorithm", 401, PATH, signed(BODY, { "x-hub-signature-256": `sha1=${"0".repeat(40)}` })],
    [
      "with a token of ao instead of a signature",
      401,
      PATH,
      { method: "POST", body: BODY, headers: { authorization: "Bearer ao_main" } },
    ],
    ["without an id", 400, PATH, signed(BODY, { "x-github-delivery": "" })],
    ["that is not JSON", 400, PATH, signed("{")],
    ["of 10 MB", 413, PATH, signed("x".repeat(10_000_000))],
    ["of GitLab with another token", 401, GITLAB, ofGitlab({}, { "x-gitlab-token": "a guess" })],
    ["of GitLab without a token", 401, GITLAB, { method: "POST", body: "{}", headers: { "idempotency-key": "d-1" } }],
    ["of GitLab without an id", 400, GITLAB, { method: "POST", body: "{}", headers: { "x-gitlab-token": SECRET } }],
    ["of GitLab that is not JSON", 400, GITLAB, ofGitlab("{")],
    ["of GitLab of 10 MB", 413, GITLAB, ofGitlab("x".repeat(10_000_000))],
  ])("rejects a delivery %s", async (_what, status, path, request) => {
    const { reports, start } = aScene();
    expect((await start().ask(path, request)).status).toBe(status);
    expect(reports).toEqual([]);
  });

  it("reads no more than the limit of an endless delivery", async () => {
    let mebibytes = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      mebibytes += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    };
    const request = { ...signed(), body: new ReadableStream({ pull }), duplex: "half" } as RequestInit;
    expect((await aScene().start().ask(PATH, request)).status).toBe(413);
    expect(mebibytes).toBeLessThan(12);
  });

  it("rejects everything while no secret is set, and names the variable", async () => {
    const answer = await aScene({}).start().ask(PATH, signed());
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      {
        detail: "Webhooks from github are off: GITHUB_WEBHOOK_SECRET is not set.",
        hint: expect.stringContaining("ao webhook listen"),
      },
    ]);
  });

  it("does not exist for another forge", async () => {
    expect((await aScene().start().ask("/api/webhooks/svn", signed())).status).toBe(404);
  });

  it("is reachable under the name in `webhooks.url`, under which nothing else is", async () => {
    const { ask } = aScene().start();
    const host = { host: "hooks.example" };
    const other = { host: "evil.example" };
    expect((await ask(PATH, signed(BODY, host))).status).toBe(202);
    expect((await ask(PATH, signed(BODY, other))).status).toBe(403);
    expect((await ask("/api/sessions", { headers: { ...host, authorization: "Bearer ao_main" } })).status).toBe(403);
  });

  it("records only rejected deliveries in the audit log", async () => {
    const { ask, audited } = aScene().start();
    await ask(PATH, signed());
    await ask(PATH, { method: "POST", body: BODY });
    expect(audited).toMatchObject([{ by: { kind: "unknown" }, call: `POST ${PATH}`, outcome: "refused", status: 401 }]);
  });
});

describe("what `ao doctor` says about webhooks", () => {
  it("warns if a secret is set and nothing was ever delivered", async () => {
    const { start } = aScene({ GITHUB_WEBHOOK_SECRET: SECRET });
    const { webhooks, ask } = start();
    expect(webhooks.examine()).toMatchObject([{ name: "webhooks of github", state: "warn" }]);
    await ask(PATH, signed());
    expect(start().webhooks.examine()).toMatchObject([{ state: "ok", text: expect.stringContaining("1970") }]);
    expect(aScene({}).start().webhooks.examine()).toEqual([]);
  });
});
