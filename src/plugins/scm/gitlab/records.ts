import { z } from "zod";

const User = z.object({ id: z.number(), username: z.string() });

/** The projects of a merge request's branches. */
export const Sides = z.object({ source_project_id: z.number().nullish(), target_project_id: z.number().nullish() });
export type Sides = z.infer<typeof Sides>;

/** A merge request as in lists and single answers. */
export const MergeRequestRecord = Sides.extend({
  iid: z.number(),
  state: z.string(),
  updated_at: z.string().refine((text) => !Number.isNaN(Date.parse(text)), "expected a time"),
  sha: z.string().nullish(),
  target_branch: z.string().nullish(),
  web_url: z.string(),
  labels: z.array(z.string()),
  draft: z.boolean().nullish(),
  has_conflicts: z.boolean().nullish(),
  detailed_merge_status: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  merge_user: User.nullish(),
  merged_by: User.nullish(),
  closed_by: User.nullish(),
  diff_refs: z.object({ base_sha: z.string().nullish() }).nullish(),
});
export type MergeRequestRecord = z.infer<typeof MergeRequestRecord>;

/** A job of a pipeline, or a status that another system reported. */
export const StatusRecord = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  target_url: z.string().nullish(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
});
export type StatusRecord = z.infer<typeof StatusRecord> & {
  /** The id of the fork in which it ran; absent: in the project itself. */
  readonly forkId?: number;
};

export const NoteRecord = z.object({
  id: z.number(),
  body: z.string(),
  system: z.boolean(),
  created_at: z.string(),
  author: User,
  resolvable: z.boolean().nullish(),
  resolved: z.boolean().nullish(),
  resolved_by: User.nullish(),
  position: z
    .object({
      new_path: z.string().nullish(),
      old_path: z.string().nullish(),
      new_line: z.number().nullish(),
      old_line: z.number().nullish(),
    })
    .nullish(),
});
export type NoteRecord = z.infer<typeof NoteRecord>;

export const DiscussionRecord = z.object({
  id: z.string(),
  individual_note: z.boolean(),
  notes: z.array(NoteRecord),
});
export type DiscussionRecord = z.infer<typeof DiscussionRecord>;

export const ApprovalsRecord = z.object({
  approvals_left: z.number().nullish(),
  /** Rules without enough approvals; only with GitLab Premium. */
  approval_rules_left: z.array(z.object({ name: z.string().nullish() })).nullish(),
  approved_by: z.array(z.object({ user: User, approved_at: z.string().nullish() })),
});
export type ApprovalsRecord = z.infer<typeof ApprovalsRecord>;

export const ReviewerRecord = z.object({ user: User, state: z.string() });

export const VersionRecord = z.object({ head_commit_sha: z.string(), created_at: z.string() });

/** The readable records of a list. */
export function readable<T>(schema: z.ZodType<T>, records: readonly unknown[]): readonly T[] {
  return records.flatMap((record) => {
    const parsed = schema.safeParse(record);
    return parsed.success ? [parsed.data] : [];
  });
}
