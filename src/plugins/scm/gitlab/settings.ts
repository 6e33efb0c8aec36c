import { z } from "zod";
import type { MergeStrategy } from "../../../core/merge/strategy.ts";
import type { GitlabTools } from "./tools.ts";

const Settings = z.object({
  merge_method: z.string().nullish(),
  squash_option: z.string().nullish(),
  /** Pipelines run on the branch merged into its base. */
  merge_pipelines_enabled: z.boolean().nullish(),
  merge_trains_enabled: z.boolean().nullish(),
  only_allow_merge_if_pipeline_succeeds: z.boolean().nullish(),
  only_allow_merge_if_all_discussions_are_resolved: z.boolean().nullish(),
});
export type Settings = z.infer<typeof Settings>;

/** How the project merges, and what it requires first. */
export function readSettings(tools: GitlabTools): Promise<Settings> {
  return tools.client.read({ path: "/projects/:id", answer: Settings });
}

const BY_METHOD: Readonly<Record<string, readonly MergeStrategy[]>> = {
  merge: ["merge"],
  rebase_merge: ["merge", "rebase"],
  ff: ["rebase"],
};

/** The strategies that the project's merge method and squash option allow. */
export function strategiesOf({ merge_method: method, squash_option: squash }: Settings): readonly MergeStrategy[] {
  if (squash === "always") return ["squash"];
  const plain = BY_METHOD[method ?? "merge"] ?? ["merge"];
  return squash === "never" ? plain : ["squash", ...plain];
}
