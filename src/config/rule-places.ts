import type { WrittenConfig } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

type WrittenReactions = NonNullable<WrittenConfig["reactions"]>;

/** Where a file may have reactions: globally and per project. */
export function reactionPlaces(written: WrittenConfig): readonly (readonly [Path, WrittenReactions])[] {
  const own = Object.entries(written.projects ?? {}).map(
    ([id, project]) => [["projects", id, "reactions"], project.reactions ?? {}] as const,
  );
  return [[["reactions"], written.reactions ?? {}], ...own];
}

/** Where a file may have policies. */
export function policyPlaces(written: WrittenConfig): readonly (readonly [Path, WrittenConfig["policies"]])[] {
  const own = Object.entries(written.projects ?? {}).map(
    ([id, project]) => [["projects", id, "policies"], project.policies] as const,
  );
  return [[["policies"], written.policies], ...own];
}
