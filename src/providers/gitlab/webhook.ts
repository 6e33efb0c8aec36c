import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { AoError } from "../../core/errors.ts";
import type { WebhookFormat } from "../../ports/webhook.ts";

/** Webhooks of GitLab, which sends the secret itself instead of a signature. */
export const gitlabWebhook: WebhookFormat = {
  scm: "gitlab",
  secretVariable: "GITLAB_WEBHOOK_SECRET",
  proof: "x-gitlab-token",
  events: ["Merge request events", "Pipeline events", "Job events", "Comments", "Push events"],
  // Only the first header stays the same when GitLab resends an event; older versions lack it.
  idOf: (header) => header("idempotency-key") ?? header("x-gitlab-event-uuid") ?? null,
  isAuthentic: ({ header }, secret) => timingSafeEqual(digest(header("x-gitlab-token") ?? ""), digest(secret)),
  parse: ({ body }) => {
    const { data } = Payload.safeParse(readJson(body));
    const repository = data?.project?.web_url ?? data?.repository?.homepage;
    if (data === undefined || repository === undefined) return null;
    const { object_kind: kind, object_attributes: about, merge_request: other } = data;
    const ref = about?.ref ?? data.ref ?? "";
    const numbers = [kind === "merge_request" ? about?.iid : other?.iid, numberIn(ref)];
    const branch = kind === "push" ? /^refs\/heads\/(.+)$/.exec(ref)?.[1] : /^(?!refs\/).+/.exec(ref)?.[0];
    return {
      repository,
      numbers: named(numbers),
      commits: named([about?.sha, data.sha, about?.last_commit?.id]),
      branches: named([branch]),
      isAboutAll: false,
    };
  },
};

// A merge request's pipeline runs on its own ref, and may not name the merge request.
function numberIn(ref: string): number | undefined {
  const [, written] = /^refs\/merge-requests\/(\d+)\//.exec(ref) ?? [];
  return written === undefined ? undefined : Number(written);
}

function named<T>(values: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

// Missing or undocumented values are ignored; the rest still counts.
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = optional(z.string());
const iid = optional(z.int().positive());

const Payload = z.object({
  object_kind: text,
  project: optional(z.object({ web_url: text })),
  repository: optional(z.object({ homepage: text })),
  object_attributes: optional(z.object({ iid, sha: text, ref: text, last_commit: optional(z.object({ id: text })) })),
  merge_request: optional(z.object({ iid })),
  ref: text,
  sha: text,
});

// Equal lengths, so that the comparison reveals nothing about the secret.
function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new AoError({ code: "usage", message: "The payload is not JSON.", cause });
  }
}
