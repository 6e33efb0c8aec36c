import { AoError } from "../core/errors.ts";
import type { StreamState } from "../core/evolve.ts";
import type { ProjectPolicy } from "../core/policy.ts";
import { factsOf, type ProjectState } from "../core/project/state.ts";
import { REACTION_KEYS } from "../core/reaction/reaction-keys.ts";
import { factsFor, isKnownKey } from "../core/replay/made-up.ts";
import { type Ground, madeUpGround, type Rehearsal, rehearse } from "../core/replay/rehearse.ts";
import type { SessionState } from "../core/session/state.ts";
import { changeStream, projectStream, type StreamId, sessionStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { ReactionsTestBody } from "../protocol/bodies/rules.ts";
import type { RehearsalView } from "../protocol/views/rehearsal.ts";
import type { Actions } from "./actions.ts";
import { describeEvent } from "./event-text.ts";
import { requireProject } from "./find-project.ts";
import { currentPullRequest, pullRequestsOf } from "./find-pull-request.ts";
import { findSession } from "./find-session.ts";

/** All that a test of rules needs of the rest. */
export interface RulesSource extends Pick<Actions, "rulesOfText"> {
  readonly engine: Pick<Actions["engine"], "world">;
}

/** What the rules of a project would do about made-up events. Only reads. */
export async function testReactions(
  { engine: { world }, rulesOfText }: RulesSource,
  body: ReactionsTestBody,
  now: number,
): Promise<{ readonly data: readonly RehearsalView[] }> {
  const session = body.session === undefined ? null : findSession(world, body.session);
  const project = requireProject(world, session?.projectId ?? body.project ?? "");
  const own = body.config === undefined ? undefined : (await rulesOfText(body.config)).get(project.id);
  const policy = own ?? project.policy;
  if (policy === null) throw noRules(project);
  const { facts = {} } = body;
  const keys = body.event === undefined ? allKeys(policy) : [readKey(body.event, facts)];
  const groundFor = (key: string): Ground =>
    session === null ? madeUpGround(key, factsOf(project), policy) : realGround(world, session, { ...project, policy });
  return { data: keys.map((key) => toView(rehearse(key, groundFor(key), { facts, now }))) };
}

function allKeys({ reactions }: ProjectPolicy): readonly string[] {
  return [...new Set([...REACTION_KEYS, ...Object.keys(reactions)])];
}

function readKey(key: string, facts: Readonly<Record<string, string>>): string {
  if (!isKnownKey(key)) {
    const hint = `Known: ${REACTION_KEYS.join(", ")}, and every event that \`ao events\` prints.`;
    throw new AoError({ code: "usage", message: `unknown event "${key}"`, hint });
  }
  const known = factsFor(key);
  const unknown = Object.keys(facts).find((name) => !known.includes(name));
  if (unknown === undefined) return key;
  const hint = known.length === 0 ? `${key} takes none.` : `Known for ${key}: ${known.join(", ")}.`;
  throw new AoError({ code: "usage", message: `unknown fact "${unknown}"`, hint });
}

/** The session as it is now, with its open pull request. */
function realGround(
  world: World,
  session: SessionState,
  project: ProjectState & { readonly policy: ProjectPolicy },
): Ground {
  const change = currentPullRequest(pullRequestsOf(world, session.id));
  const hasPullRequest = change?.phase === "open";
  const states = new Map<StreamId, StreamState>([
    [projectStream(project.id), project],
    [sessionStream(session.id), session],
    ...(change === undefined ? [] : [[changeStream(change.key), change] as const]),
  ]);
  const scene = {
    projectId: project.id,
    sessionId: session.id,
    changeKey: change?.key ?? "",
    head: change?.head ?? session.branchSeen?.head ?? "",
    baseHead: project.baseHead ?? "",
    // One attempt may be requested already.
    attempt: Math.max(0, ...Object.values(change?.checks ?? {}).map((run) => run.attempt)) + 2,
    turns: session.turns,
    policy: project.policy,
  };
  return { scene, hasPullRequest, history: [], states };
}

function noRules({ id }: ProjectState): AoError {
  return new AoError({ code: "conflict", message: `${id} has no rules yet.`, hint: "`ao config validate` shows why." });
}

function toView({ key, rule, obstacle, steps, messages }: Rehearsal): RehearsalView {
  return {
    key,
    action: rule === null ? null : rule.auto ? rule.action : "notify",
    condition: rule?.condition ?? null,
    obstacle,
    steps: steps.map(({ turns, afterMs, event }) => ({ turns, afterMs, text: describeEvent(event) })),
    messages,
  };
}
