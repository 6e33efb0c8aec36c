import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ForgeReport } from "../../core/change/forge-report.ts";
import { gitlabWebhook } from "./webhook.ts";

const project = { web_url: "https://gitlab.com/group/demo" };

function parse(payload: unknown): ForgeReport | null {
  return gitlabWebhook.parse({ header: () => undefined, body: Buffer.from(JSON.stringify(payload)) });
}

describe("webhooks of GitLab", () => {
  it.each([
    [
      "merge request",
      { object_kind: "merge_request", project, object_attributes: { iid: 7, last_commit: { id: "abc" } } },
      { numbers: [7], commits: ["abc"] },
    ],
    [
      "pipeline",
      {
        object_kind: "pipeline",
        project,
        object_attributes: { iid: 99, sha: "abc", ref: "fix" },
        merge_request: { iid: 7 },
      },
      { numbers: [7], commits: ["abc"], branches: ["fix"] },
    ],
    [
      "job",
      { object_kind: "build", repository: { homepage: project.web_url }, ref: "fix", sha: "abc" },
      { numbers: [], commits: ["abc"], branches: ["fix"] },
    ],
    [
      "comment",
      { object_kind: "note", project, object_attributes: { id: 1 }, merge_request: { iid: 7 } },
      { numbers: [7] },
    ],
    ["push", { object_kind: "push", project, ref: "refs/heads/main" }, { numbers: [], branches: ["main"] }],
    ["push of a tag", { object_kind: "tag_push", project, ref: "refs/tags/v1" }, { numbers: [] }],
    ["issue", { object_kind: "issue", project, object_attributes: { iid: 7 } }, { numbers: [] }],
  ])("tell from a %s what changed", (_kind, payload, wanted) => {
    expect(parse(payload)).toMatchObject({ repository: project.web_url, isAboutAll: false, ...wanted });
  });

  it("are authentic only with the secret itself", () => {
    const withToken = (token: string | undefined) => ({ header: () => token, body: Buffer.from("{}") });
    expect(gitlabWebhook.isAuthentic(withToken("secret"), "secret")).toBe(true);
    for (const token of [undefined, "", "secre", "secret ", "SECRET"])
      expect(gitlabWebhook.isAuthentic(withToken(token), "secret")).toBe(false);
  });

  it("are known again by the key that stays the same when GitLab sends one again", () => {
    const headers: Readonly<Record<string, string>> = { "idempotency-key": "a", "x-gitlab-event-uuid": "b" };
    expect(gitlabWebhook.idOf((name) => headers[name])).toBe("a");
    expect(gitlabWebhook.idOf((name) => (name === "x-gitlab-event-uuid" ? "b" : undefined))).toBe("b");
  });

  it("read any JSON without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (payload) => void parse(payload)),
      { numRuns: 300 },
    );
    expect(parse({ object_kind: "push" })).toBeNull();
  });
});
