import type { StoredText } from "../../core/text.ts";
import type { EffectDeps } from "../executor.ts";

/** The text of a pull request; a forge elsewhere closes its issue with it, whoever merges it. */
export async function changeBody(
  deps: EffectDeps,
  projectId: string,
  { issue, body }: { readonly issue: string | null; readonly body: StoredText | null },
): Promise<string> {
  const text = body === null ? "" : await deps.textOf(body);
  if (issue === null || deps.scmOf(projectId).remote === undefined) return text;
  const words = (await deps.trackerOf(projectId)).closingWords?.(issue) ?? "";
  return text.includes(words) ? text : `${text}\n\n${words}`.trim();
}
