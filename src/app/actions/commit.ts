import { openingWanted } from "../../core/change/open.ts";
import { AoError } from "../../core/errors.ts";
import type { SessionState } from "../../core/session/state.ts";
import { deriveStatus } from "../../core/session/status.ts";
import type { CommitAnswer } from "../../ports/workspace.ts";
import { readGitIdentity } from "../git-identity.ts";
import type { Kernel } from "../kernel.ts";
import { sessionEnvironment } from "../session-environment.ts";
import { waitUntil } from "../wait-until.ts";
import { requireSession, requireWorkspace } from "./look.ts";
import { readFacts } from "./pull-request.ts";

const OPEN_LIMIT_MS = 30_000;

/** Commits what a session's agent left on its branch, and notifies the engine, which opens the pull request. */
export async function commitSession(
  kernel: Kernel,
  sessionId: string,
  request: { readonly message: string; readonly now: boolean },
): Promise<{ readonly head: string; readonly files: number }> {
  await kernel.engine.refresh(sessionId);
  const session = requireSession(kernel, sessionId);
  const { workspace, ref } = requireWorkspace(kernel, session);
  if (!request.now) refuseWhileWorking(session);
  const env = await committer(kernel, session);
  const answer = await workspace.commit(ref, { message: request.message, env });
  if (answer.kind !== "committed") throw refusal(sessionId, answer);
  const facts = await readFacts(kernel, sessionId);
  const uncommitted = await workspace.readChanges(ref);
  await kernel.engine.submit({ input: { type: "branch.moved", sessionId, facts: { ...facts, uncommitted } } });
  await waitUntil(kernel.engine, OPEN_LIMIT_MS, () => !isToBeOpened(kernel, sessionId));
  return { head: answer.head, files: answer.files };
}

// The caller wants the number of the pull request that contains the commit.
function isToBeOpened({ engine, host }: Kernel, sessionId: string): boolean {
  const world = engine.loop.world.view;
  const session = world.session(sessionId);
  return session !== undefined && openingWanted(world, session, host.clock.now()).intents.length > 0;
}

function refuseWhileWorking(session: SessionState): void {
  const { state, status } = deriveStatus(session, { paused: false });
  if (state !== "working") return;
  throw new AoError({
    code: "session-state",
    message: `The agent of ${session.id} is ${status}, so its files may be half done.`,
    hint: `Wait with \`ao wait ${session.id} --for idle\`, or add --now to commit them as they are.`,
  });
}

function refusal(sessionId: string, answer: Exclude<CommitAnswer, { readonly kind: "committed" }>): AoError {
  if (answer.kind === "nothing") {
    return new AoError({
      code: "conflict",
      message: `${sessionId} has nothing to commit.`,
      hint: `\`ao diff ${sessionId}\` shows what its branch holds.`,
    });
  }
  return new AoError({
    code: "conflict",
    message: `${sessionId} was not committed: ${answer.reason}`,
    hint: `Look at it with \`ao shell ${sessionId}\`.`,
  });
}

// With the same author as the session's other commits.
async function committer(kernel: Kernel, session: SessionState): Promise<Record<string, string>> {
  const { host, paths, secret } = kernel;
  const project = kernel.engine.loop.world.view.project(session.projectId);
  const environment = await sessionEnvironment(session, {
    ...{ host, home: paths.home, shell: session.shell, secret },
    config: project === undefined ? undefined : await kernel.configs.configOf(project),
    identity: () => readGitIdentity(host, project?.path ?? ""),
  });
  // Not the settings that are passed as variables: git would read them in place of those that keep it from trusting the
  // agent.
  const isTaken = (name: string): boolean => /^(GIT_|PATH$)/.test(name) && !/^GIT_CONFIG_(COUNT|KEY|VALUE)/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isTaken(name)));
}
