import { shortCommit, shortHash } from "../hash.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { boundTexts, fence, lineOf } from "../reaction/template.ts";
import type { World } from "../world.ts";
import type { SessionState } from "./state.ts";

/** What the work of a session conflicts with. */
export interface SeenCollision {
  readonly files: readonly string[];
  readonly with:
    | { readonly kind: "session"; readonly id: string; readonly title: string }
    /** As the agent can name it to git. */
    | { readonly kind: "base"; readonly name: string; readonly head: string };
}

/** The collisions of a session that rules of its project are about. With a pull request, a conflict with the base is that one's problem. */
export function collisionsOf(
  world: World,
  { id, projectId }: SessionState,
  { policy, hasChange }: { readonly policy: ProjectPolicy; readonly hasChange: boolean },
): readonly SeenCollision[] {
  const project = world.project(projectId);
  const { reactions } = policy;
  const isAsked = reactions["collision"] !== undefined || reactions["main-moved"] !== undefined;
  if (!isAsked || project === undefined) return [];
  const own = (project.collisions ?? []).filter(({ session, other }) => session === id || other === id);
  return own.flatMap(({ session, other, files }) => {
    if (other === null) return hasChange ? [] : withBase(project, policy, files);
    if (reactions["collision"] === undefined) return [];
    const otherId = session === id ? other : session;
    return [{ files, with: { kind: "session", id: otherId, title: world.session(otherId)?.title ?? otherId } }];
  });
}

function withBase(
  { baseHead, defaultBranch }: ProjectState,
  { reactions, scm }: ProjectPolicy,
  files: readonly string[],
): readonly SeenCollision[] {
  if (reactions["main-moved"] === undefined || baseHead === null) return [];
  // The branch of this name is not the forge's: its commit is.
  const name = scm.plugin === "local" ? defaultBranch : shortCommit(baseHead);
  return [{ files, with: { kind: "base", name, head: baseHead } }];
}

/** Each collision as a problem that the agent gets one message about. */
export function collisionProblems(
  { id: session, title, branch }: SessionState,
  collisions: readonly SeenCollision[],
): readonly DetectedProblem[] {
  return collisions.map(({ files, with: other }) => {
    const known = { session, title: lineOf(title), branch };
    const list = (): ReturnType<typeof fence> =>
      fence("files in conflict", boundTexts(files.map((file) => ({ inline: `${lineOf(file)}\n` }))));
    const place = files.slice(0, 3).map(lineOf).join(", ");
    if (other.kind === "base") {
      return {
        id: "main-moved",
        key: "main-moved",
        occurrence: shortHash([other.head, ...files].join("\n")),
        text: `conflicts with the newest base in ${place}`,
        variables: () => ({ ...known, base: other.name, files: list() }),
      };
    }
    return {
      id: `collision:${other.id}`,
      key: "collision",
      occurrence: shortHash(files.join("\n")),
      text: `conflicts with ${other.id} in ${place}`,
      variables: () => ({ ...known, other: other.id, otherTitle: lineOf(other.title), files: list() }),
    };
  });
}
