import { shortCommit, shortHash } from "../hash.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { fenceFiles, lineOf, quote, type Reader, type Variables } from "../reaction/template.ts";
import type { StoredText } from "../text.ts";
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
    return [{ files, with: { kind: "session", id: otherId, title: titleFor(world, id, otherId) } }];
  });
}

// A stranger's title reaches only an agent that has read a stranger's words anyway.
function titleFor(world: World, reader: string, otherId: string): string {
  const other = world.session(otherId);
  const isHeld = other?.readUntrusted !== undefined && world.session(reader)?.readUntrusted === undefined;
  return other === undefined || isHeld ? otherId : other.title;
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
    const known = (reader: Reader): Variables => ({
      session,
      title: quote("title", title, reader),
      branch,
    });
    const list = (reader: Reader): StoredText => fenceFiles("files in conflict", files, reader);
    const place = files.slice(0, 3).map(lineOf).join(", ");
    if (other.kind === "base") {
      return {
        id: "main-moved",
        key: "main-moved",
        occurrence: shortHash([other.head, ...files].join("\n")),
        text: `conflicts with the newest base in ${place}`,
        variables: (reader) => ({ ...known(reader), base: other.name, files: list(reader) }),
      };
    }
    return {
      id: `collision:${other.id}`,
      key: "collision",
      occurrence: shortHash(files.join("\n")),
      text: `conflicts with ${other.id} in ${place}`,
      variables: (reader) => ({
        ...known(reader),
        other: other.id,
        otherTitle: quote("title of the other task", other.title, reader),
        files: list(reader),
      }),
    };
  });
}
