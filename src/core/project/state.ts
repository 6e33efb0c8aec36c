import type { ProjectPolicy } from "../policy.ts";

/** What is known of a repository from its registration. */
export interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly repo: string | null;
  readonly defaultBranch: string;
  readonly sessionPrefix: string;
  /** The YAML file it came from; null when it was registered without one. */
  readonly configFile: string | null;
  /** How many of its sessions may be open at once; null: only the machine's limit counts. */
  readonly limit: number | null;
}

/** A repository that `ao` works on. */
export interface ProjectState extends ProjectFacts {
  /** null: not read yet; nothing is opened, checked or merged then. */
  readonly policy: ProjectPolicy | null;
  /** The commit of the default branch, as it was last seen. */
  readonly baseHead: string | null;
  /** When all of its work was done the last time; 0: never. */
  readonly completedAt: number;
  readonly paused: boolean;
  readonly removed: boolean;
  readonly at: number;
}

export type ProjectEvent =
  | ({ readonly type: "project.registered" } & ProjectFacts)
  | { readonly type: "project.removed" }
  | { readonly type: "project.paused" }
  | { readonly type: "project.resumed" }
  | { readonly type: "project.policy-set"; readonly policy: ProjectPolicy }
  | { readonly type: "project.base-moved"; readonly head: string }
  /** Every session of the project is over, and at least one change was merged since the last time. */
  | { readonly type: "project.completed"; readonly merged: number };

/** What was registered, without what became of it since. */
export function factsOf(project: ProjectState): ProjectFacts {
  const { id, name, path, repo, defaultBranch, sessionPrefix, configFile, limit } = project;
  return { id, name, path, repo, defaultBranch, sessionPrefix, configFile, limit };
}

/** Applies one event to a project. */
export function evolveProject(
  state: ProjectState | undefined,
  event: ProjectEvent,
  at: number,
): ProjectState | undefined {
  if (event.type === "project.registered") {
    const { type: _, ...facts } = event;
    return {
      ...facts,
      policy: state?.policy ?? null,
      baseHead: state?.baseHead ?? null,
      completedAt: state?.completedAt ?? 0,
      paused: state?.paused ?? false,
      removed: false,
      at,
    };
  }
  if (state === undefined) return undefined;
  switch (event.type) {
    case "project.removed":
      return { ...state, removed: true, at };
    case "project.paused":
      return { ...state, paused: true, at };
    case "project.resumed":
      return { ...state, paused: false, at };
    case "project.policy-set":
      return { ...state, policy: event.policy };
    case "project.base-moved":
      return { ...state, baseHead: event.head };
    case "project.completed":
      return { ...state, completedAt: at };
  }
}
