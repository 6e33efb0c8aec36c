import type { ProjectEvent } from "./events.ts";
import type { ProjectState } from "./state.ts";

type RepositoryEvent = Extract<
  ProjectEvent,
  {
    readonly type:
      | "project.vanished"
      | "project.reappeared"
      | `project.base-${"followed" | "rewritten" | "committed" | "accepted"}`;
  }
>;

/** What was seen of a project's repository on this machine. */
export function evolveRepository(state: ProjectState, event: RepositoryEvent, at: number): ProjectState {
  switch (event.type) {
    case "project.vanished":
      return { ...state, missing: { evidence: event.evidence, at } };
    case "project.reappeared":
      return { ...state, missing: null };
    case "project.base-followed": {
      const isBack = state.baseWarning?.from === event.head;
      return { ...state, ownBase: event.head, ...(isBack ? { baseWarning: null } : {}) };
    }
    case "project.base-rewritten":
    case "project.base-committed": {
      const { type, ...facts } = event;
      const kind = type === "project.base-rewritten" ? "rewritten" : "committed";
      return { ...state, ownBase: event.head, baseWarning: { kind, ...facts, at } };
    }
    case "project.base-accepted":
      return { ...state, baseWarning: null };
  }
}
