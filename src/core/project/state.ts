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
  readonly paused: boolean;
  readonly removed: boolean;
  readonly at: number;
}

export type ProjectEvent =
  | ({ readonly type: "project.registered" } & ProjectFacts)
  | { readonly type: "project.removed" }
  | { readonly type: "project.paused" }
  | { readonly type: "project.resumed" };

/** Applies one event to a project. */
export function evolveProject(
  state: ProjectState | undefined,
  event: ProjectEvent,
  at: number,
): ProjectState | undefined {
  if (event.type === "project.registered") {
    const { type: _, ...facts } = event;
    return { ...facts, paused: state?.paused ?? false, removed: false, at };
  }
  if (state === undefined) return undefined;
  switch (event.type) {
    case "project.removed":
      return { ...state, removed: true, at };
    case "project.paused":
      return { ...state, paused: true, at };
    case "project.resumed":
      return { ...state, paused: false, at };
  }
}
