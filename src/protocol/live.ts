import type { FleetView } from "./views/fleet.ts";
import type { InboxView } from "./views/inbox.ts";
import type { ProjectView } from "./views/project.ts";
import type { PullRequestView } from "./views/pull-request.ts";
import type { SessionView } from "./views/session.ts";

/** It has left the lists of the API; what is known of it comes all the same. */
interface Removed {
  readonly removed?: true;
}

/** What an agent reported between two events; not repeated for those who come later. */
export interface SignalView {
  readonly sessionId: string;
  readonly activity: string | null;
  readonly evidence: string;
  readonly lastSignalAt: string;
}

/** A message of `GET /api/live`: a view as it is now. `reset`: too much has changed, load the lists again. */
export type LiveMessage =
  | { readonly event: "session"; readonly data: SessionView & Removed }
  | { readonly event: "pull-request"; readonly data: PullRequestView & Removed }
  | { readonly event: "project"; readonly data: ProjectView & Removed }
  | { readonly event: "inbox"; readonly data: { readonly data: readonly InboxView[] } }
  | { readonly event: "fleet"; readonly data: FleetView }
  | { readonly event: "signal"; readonly data: SignalView }
  /** The first message for a client that did not say where it was. */
  | { readonly event: "start"; readonly data: { readonly position: number } }
  | {
      readonly event: "reset";
      readonly data: { readonly reason: "another-store" | "too-far-behind" | "views-failed" };
    };
