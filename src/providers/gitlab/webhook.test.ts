import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ForgeReport } from "../../core/change/forge-report.ts";
import { EXAMPLE_PAGE, HOOK_EXAMPLES } from "../../testing/fake-gitlab/hook-examples.ts";
import { gitlabWebhook } from "./webhook.ts";

function parse(payload: unknown): ForgeReport | null {
  return gitlabWebhook.parse({ header: () => undefined, body: Buffer.from(JSON.stringify(payload)) });
}

describe("GitLab webhooks", () => {
  it.each(HOOK_EXAMPLES.map((example, index) => ({ ...example, title: `${index + 1}, ${example.event}` })))(
    "accept or ignore every event that GitLab documents: $title",
    ({ payload, about }) => {
      const nothing = { numbers: [], commits: [], branches: [] };
      const wanted = about === null ? null : { repository: EXAMPLE_PAGE, isAboutAll: false, ...nothing, ...about };
      expect(parse(payload)).toEqual(wanted);
    },
  );

  it("identify a merge request by its pipeline's ref if nothing else does", () => {
    const project = { web_url: EXAMPLE_PAGE };
    const about = { id: 31, sha: "abc", ref: "refs/merge-requests/7/train" };
    const payload = { object_kind: "pipeline", project, object_attributes: about, merge_request: null };
    expect(parse(payload)).toMatchObject({ numbers: [7], branches: [] });
  });

  it("are authentic only with the secret itself", () => {
    const withToken = (token: string | undefined) => ({ header: () => token, body: Buffer.from("{}") });
    expect(gitlabWebhook.isAuthentic(withToken("secret"), "secret")).toBe(true);
    for (const token of [undefined, "", "secre", "secret ", "SECRET"])
      expect(gitlabWebhook.isAuthentic(withToken(token), "secret")).toBe(false);
  });

  it("are recognized by the key that stays the same when GitLab resends one", () => {
    const headers: Readonly<Record<string, string>> = { "idempotency-key": "a", "x-gitlab-event-uuid": "b" };
    expect(gitlabWebhook.idOf((name) => headers[name])).toBe("a");
    expect(gitlabWebhook.idOf((name) => (name === "x-gitlab-event-uuid" ? "b" : undefined))).toBe("b");
  });

  it("parse any JSON without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (payload) => void parse(payload)),
      { numRuns: 300 },
    );
    expect(parse({ object_kind: "push" })).toBeNull();
  });
});
