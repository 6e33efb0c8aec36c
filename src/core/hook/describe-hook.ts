import type { ChangeState } from "../change/state.ts";
import type { SessionState } from "../session/state.ts";
import type { HookContext, HookPoint, PullRequestHookContext, SessionHookContext } from "./hook-module.ts";

interface Cause {
  readonly point: HookPoint;
  readonly sentence: string;
  readonly folder: string;
  readonly intent: string;
}

/** What a hook in code gets about a session or a pull request; its point is one of theirs. */
export function describeHook(owner: SessionState | ChangeState, { point, ...cause }: Cause): HookContext {
  const { projectId: project, issue, branch } = owner;
  const common = { ...cause, project, issue, branch };
  if (!("number" in owner)) {
    return { ...common, point: point as SessionHookContext["point"], session: owner.id, pullRequest: null };
  }
  const { sessionId: session, number, title, head, base, labels, url = null } = owner;
  const pullRequest = { number, title, head, base, labels, url };
  return { ...common, point: point as PullRequestHookContext["point"], session, pullRequest };
}
