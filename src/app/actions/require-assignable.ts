import type { ProjectConfig } from "../../config/config.ts";
import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { CallerShell } from "../../core/session/state.ts";
import { askHooks } from "../../engine/run-hooks.ts";
import type { Kernel } from "../kernel.ts";
import { projectEnvironment } from "../session-environment.ts";

interface Assignment {
  readonly config: ProjectConfig | undefined;
  readonly shell: CallerShell;
  readonly title: string;
  readonly issue: string | null;
}

/** Asks the hooks of the configuration, which may refuse a task before anything exists of its session. */
export async function requireAssignable(
  { host }: Pick<Kernel, "host">,
  { id, path: cwd, policy }: Pick<ProjectState, "id" | "path" | "policy">,
  { config, shell, title, issue }: Assignment,
): Promise<void> {
  const point = "before-task-assigned";
  if (policy?.hooks?.[point] === undefined) return;
  const own = projectEnvironment({ host, shell, config });
  const env = { ...own, AO_EVENT: point, AO_TEXT: title, AO_PROJECT: id, AO_ISSUE: issue ?? "" };
  const none = { session: null, branch: null, pullRequest: null, intent: null };
  const context = { point, sentence: title, project: id, issue, folder: cwd, ...none } as const;
  const message = await askHooks(host, { hooks: policy.hooks, context, env });
  if (message === null) return;
  throw new AoError({ code: "conflict", message, hint: `\`hooks.${point}\` in the configuration runs it.` });
}
