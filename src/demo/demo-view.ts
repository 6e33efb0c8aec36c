import type { Api, Call, ParamsOf } from "../protocol/api.ts";
import type { EventView } from "../protocol/views/event.ts";
import type { InboxView } from "../protocol/views/inbox.ts";
import type { PullRequestView, ReviewView } from "../protocol/views/pull-request.ts";
import type { SessionView } from "../protocol/views/session.ts";
import { PROJECT, STORY } from "./story.ts";

/** The daemon from the demo's point of view: the same calls as the command line. */
export interface DemoDaemon {
  call<C extends Call>(
    call: C,
    options?: { readonly params?: ParamsOf<C>; readonly input?: Api[C]["in"] },
  ): Promise<Api[C]["out"]>;
  /** The whole log, followed by new events. */
  events(signal: AbortSignal): AsyncIterable<EventView>;
}

/** The API's view of the demo project at one moment. */
export interface DemoView {
  readonly sessions: readonly SessionView[];
  readonly pullRequests: readonly PullRequestView[];
  readonly inbox: readonly InboxView[];
  /** By the key of the pull request, if the demo requests changes. */
  readonly reviews: Readonly<Record<string, readonly ReviewView[]>>;
}

/** Reads the current state from the daemon. */
export async function readView(daemon: DemoDaemon): Promise<DemoView> {
  const [sessions, pullRequests, inbox] = await Promise.all([
    daemon.call("GET /api/sessions", { input: { project: PROJECT, all: true } }),
    daemon.call("GET /api/pull-requests", { input: { project: PROJECT, state: "all" } }),
    daemon.call("GET /api/inbox"),
  ]);
  const asked = pullRequests.data.filter(
    ({ issue, phase }) => phase === "open" && STORY[issue ?? ""]?.request !== undefined,
  );
  const reviews = await Promise.all(
    asked.map(async (change) => [change.key, await readReviews(daemon, change)] as const),
  );
  return {
    sessions: [...sessions.data].sort((a, b) => Number(a.issue) - Number(b.issue)),
    pullRequests: pullRequests.data,
    inbox: inbox.data,
    reviews: Object.fromEntries(reviews),
  };
}

async function readReviews(daemon: DemoDaemon, { projectId, number }: PullRequestView): Promise<readonly ReviewView[]> {
  const params = { project: projectId, number: String(number) };
  return (await daemon.call("GET /api/pull-requests/:project/:number", { params })).reviews;
}

/** The relevant pull request of a task: the open or merged one, else the newest. */
export function pullRequestOf(view: DemoView, issue: string | null): PullRequestView | null {
  const own = view.pullRequests.filter((change) => change.issue === issue).sort((a, b) => b.number - a.number);
  return own.find(({ phase }) => phase !== "closed") ?? own[0] ?? null;
}
