import { z } from "zod";
import { AoError } from "../core/errors.ts";
import { PERMISSION_LEVELS } from "../protocol/choices.ts";

const name = z.string().min(1).max(500);
const text = z.string().max(4 * 1024 * 1024);

export const CreateSession = z.strictObject({
  projectId: name.optional(),
  issue: z.coerce.string().min(1).max(500).optional(),
  title: z.string().min(1).max(1000).optional(),
  prompt: text.optional(),
  agent: name.optional(),
  runtime: name.optional(),
  model: name.optional(),
  permissions: z.enum(PERMISSION_LEVELS).optional(),
  branch: name.optional(),
  now: z.boolean().optional(),
  wait: z.boolean().optional(),
  cwd: z.string().max(4096).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

export const SendMessage = z.strictObject({ content: text.min(1) });
export const Answer = z.strictObject({ choice: text, questionId: name.optional() });
export const Move = z.strictObject({ runtime: z.enum(["tmux", "process"]) });
export const Commit = z.strictObject({ message: text.min(1), now: z.boolean().optional() });
export const Nothing = z.strictObject({});
export const Restore = z.strictObject({
  wait: z.boolean().optional(),
  now: z.boolean().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
export const Wait = z.strictObject({ wait: z.boolean().optional() });
export const AddProject = z.strictObject({
  path: z.string().min(1).max(4096),
  config: z.string().max(4096).optional(),
  agent: name.optional(),
  choose: z.boolean().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
export const OneProject = z.strictObject({ project: name.optional() });
export const Cleanup = z.strictObject({ dryRun: z.boolean(), preserved: z.boolean().optional() });
export const Shutdown = z.strictObject({ sessions: z.boolean().optional() });
export const NewToken = z.strictObject({ name: z.string().regex(/^[\w.-]{1,64}$/, "letters, digits, dot, dash") });

const labels = z.array(name).max(100);
export const NewIssue = z.strictObject({
  title: z.string().min(1).max(1000),
  body: text.optional(),
  labels: labels.optional(),
  dependsOn: labels.optional(),
  priority: name.optional(),
});
export const EditIssue = z.strictObject({
  title: z.string().min(1).max(1000).optional(),
  body: text.optional(),
  state: z.enum(["open", "closed"]).optional(),
  labels: labels.optional(),
  priority: name.optional(),
  dependsOn: labels.optional(),
});

/** Reads a JSON body against its schema; what is wrong is said with its place. */
export async function readBody<T>(request: { text(): Promise<string> }, schema: z.ZodType<T>): Promise<T> {
  const raw = await request.text();
  let value: unknown;
  try {
    value = raw.trim() === "" ? {} : JSON.parse(raw);
  } catch (cause) {
    throw new AoError({ code: "usage", message: "Invalid input: it is not JSON.", hint: "Send a JSON object.", cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new AoError({
    code: "usage",
    message: `Invalid input: ${problems.join("; ")}.`,
    hint: "`ao api --help` shows how calls are written.",
  });
}
