import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AoError } from "../../core/errors.ts";
import type { Delivery, WebhookFormat } from "../../ports/webhook.ts";

/** Events that may change the rules for every pull request of the repository. */
const RULE_EVENTS: readonly string[] = [
  "branch_protection_rule",
  "branch_protection_configuration",
  "repository_ruleset",
];

/** Maximum number of pull requests and branches in one GitHub delivery. */
const MAX_NAMED = 100;

/** Webhooks of GitHub and GitHub Enterprise. */
export const githubWebhook: WebhookFormat = {
  scm: "github",
  secretVariable: "GITHUB_WEBHOOK_SECRET",
  proof: "x-hub-signature-256",
  events: [
    "Pull requests",
    "Pull request reviews",
    "Pull request review comments",
    "Pull request review threads",
    "Issue comments",
    "Check runs",
    "Statuses",
    "Pushes",
    "Branch protection rules",
  ],
  idOf: (header) => header("x-github-delivery") ?? null,
  isAuthentic: ({ header, body }, secret) => {
    const given = /^sha256=([\da-f]{64})$/i.exec(header("x-hub-signature-256") ?? "")?.[1];
    if (given === undefined) return false;
    return timingSafeEqual(Buffer.from(given, "hex"), createHmac("sha256", secret).update(body).digest());
  },
  parse: (delivery) => {
    const { data } = Payload.safeParse(readJson(delivery));
    if (data?.repository?.html_url === undefined) return null;
    const { pull_request, issue, check_run, check_suite, workflow_run, workflow_job, merge_group } = data;
    const runs = [check_run, check_run?.check_suite, check_suite, workflow_run, workflow_job];
    const pulls = [pull_request, issue, ...runs.flatMap((run) => run?.pull_requests ?? [])];
    const branches = [
      ...(data.branches ?? []).map((branch) => branch?.name),
      ...runs.map((run) => run?.head_branch),
      ...[data.ref, merge_group?.base_ref].map((ref) => /^refs\/heads\/(.+)$/.exec(ref ?? "")?.[1]),
    ];
    return {
      repository: data.repository.html_url,
      numbers: named(pulls.map((pull) => pull?.number)),
      commits: named([data.sha, pull_request?.head?.sha, ...runs.map((run) => run?.head_sha)]),
      branches: named(branches),
      isAboutAll: RULE_EVENTS.includes(delivery.header("x-github-event") ?? ""),
    };
  },
};

// Missing or undocumented values are ignored; the rest still counts.
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = optional(z.string());
const Numbered = optional(z.object({ number: optional(z.int().positive()) }));
const list = <T extends z.ZodType>(item: T) => optional(z.array(item));
const run = { head_sha: text, head_branch: text, pull_requests: list(Numbered) };
const Run = optional(z.object(run));

const Payload = z.object({
  repository: optional(z.object({ html_url: text })),
  pull_request: optional(z.object({ number: optional(z.int().positive()), head: optional(z.object({ sha: text })) })),
  issue: Numbered,
  check_run: optional(z.object({ ...run, check_suite: Run })),
  check_suite: Run,
  workflow_run: Run,
  workflow_job: Run,
  merge_group: optional(z.object({ base_ref: text })),
  ref: text,
  sha: text,
  branches: list(optional(z.object({ name: text }))),
});

/** The payload itself, or a form field, depending on the webhook's content type. */
function readJson({ header, body }: Delivery): unknown {
  const raw = new TextDecoder().decode(body);
  const isForm = header("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  try {
    return JSON.parse(isForm ? (new URLSearchParams(raw).get("payload") ?? "") : raw);
  } catch (cause) {
    throw new AoError({ code: "usage", message: "The payload is not JSON.", cause });
  }
}

function named<T>(values: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(values.filter((value) => value !== undefined))].slice(0, MAX_NAMED);
}
