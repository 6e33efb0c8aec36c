import { type Intent, intentId, type ProjectSpec } from "../intent.ts";
import { projectStream } from "../stream.ts";

/** An effect for a project, by purpose and attempt. */
export function projectIntent(
  spec: ProjectSpec,
  lane: string,
  [occurrence, attempt]: readonly [string | number, number],
): Intent {
  const stream = projectStream(spec.projectId);
  return { id: intentId(stream, spec.kind, occurrence, attempt), stream, lane, spec };
}

/** A check on a commit of the project itself. */
export function checkIntent(
  projectId: string,
  { commit, name, attempt }: { readonly commit: string; readonly name: string; readonly attempt: number },
): Intent {
  const spec: ProjectSpec = { kind: "check-commit", projectId, commit, check: name, attempt };
  return projectIntent(spec, `check:${projectId}:${name}:${commit}`, [`${name}@${commit}`, attempt]);
}
