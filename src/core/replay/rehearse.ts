import { type AnyEvent, type Emitted, onSession } from "../event.ts";
import type { StreamState } from "../evolve.ts";
import type { ProjectPolicy, ReactionRule } from "../policy.ts";
import type { ProjectFacts } from "../project/state.ts";
import type { StreamId } from "../stream.ts";
import { announcement, type MadeUpFacts, makeUp, needsNoPullRequest, whyImpossible } from "./made-up.ts";
import { createReplay, type Replay } from "./replay.ts";
import { madeUpScene, openPullRequest, type Scene, setUp } from "./scene.ts";
import type { LoggedEvent } from "./step.ts";

/** Something that a rule does, and when. */
export interface RehearsedStep extends LoggedEvent {
  /** Turns that the agent has ended since the made-up event, without solving anything. */
  readonly turns: number;
  /** Time since the made-up event. */
  readonly afterMs: number;
}

/** What the rule for a key does about a made-up event that nobody deals with. */
export interface Rehearsal {
  readonly key: string;
  readonly rule: ReactionRule | null;
  /** Why nothing can trigger it; null: something can. */
  readonly obstacle: string | null;
  readonly steps: readonly RehearsedStep[];
  /** Texts that the agent would get. */
  readonly messages: readonly string[];
}

/** A scene, and how the world came to it. */
export interface Ground {
  readonly scene: Scene;
  readonly hasPullRequest: boolean;
  readonly history: readonly Emitted[];
  /** Of a real session: the states to begin with. */
  readonly states?: ReadonlyMap<StreamId, StreamState>;
}

/** The ground for a key without a real session. */
export function madeUpGround(key: string, project: ProjectFacts, policy: ProjectPolicy): Ground {
  const scene = madeUpScene(project.id, policy);
  const hasPullRequest = !needsNoPullRequest(key);
  const history = [...setUp(scene, project), ...(hasPullRequest ? openPullRequest(scene) : [])];
  return { scene, hasPullRequest, history };
}

const TURN_MS = 60_000;
const MAX_TURNS = 10;
/** Long enough for the slowest deadline, and for the first reminder. */
const WAIT_MS = 25 * 3_600_000;

/** Plays a made-up event to the rules: at once, after turns of the agent that change nothing, and after a day of silence. No effects. */
export function rehearse(
  key: string,
  ground: Ground,
  { facts, now }: { readonly facts: MadeUpFacts; readonly now: number },
): Rehearsal {
  const { scene, history, states } = ground;
  const rule = scene.policy.reactions[key] ?? null;
  const obstacle = whyNot(key, ground, rule);
  if (obstacle !== null) return { key, rule, obstacle, steps: [], messages: [] };
  const policies = new Map([[scene.projectId, scene.policy]]);
  const replay = createReplay({ scope: null, from: now, policies, ...(states === undefined ? {} : { states }) });
  for (const emitted of history) replay.next({ ...emitted, at: now - 1 });
  replay.finish(now);
  const steps = play(replay, { key, scene, facts, now });
  const messages = replay.messages.flatMap(({ event }) =>
    event.type === "message.queued" && event.about === key && "inline" in event.text ? [event.text.inline] : [],
  );
  return { key, rule, obstacle, steps, messages };
}

function play(
  replay: Replay,
  {
    key,
    scene,
    facts,
    now,
  }: { readonly key: string; readonly scene: Scene; readonly facts: MadeUpFacts; readonly now: number },
): readonly RehearsedStep[] {
  const steps: RehearsedStep[] = [];
  let read = replay.decided.length;
  const take = (turns: number): boolean => {
    const made = replay.decided.slice(read).filter(({ event }) => isStepOf(event, key));
    read = replay.decided.length;
    steps.push(...made.map((step) => ({ ...step, turns, afterMs: step.at - now })));
    return made.some(({ event }) => event.type === "reaction.sent");
  };
  for (const emitted of makeUp(key, scene, facts)) replay.next({ ...emitted, at: now });
  const news = announcement(key, scene, facts);
  if (news !== null) replay.announce({ ...news, at: now });
  replay.finish(now);
  let [turns, isSent] = [0, take(0)];
  // Who gives no sign of life ends no turn.
  while (isSent && turns < MAX_TURNS && key !== "agent-stuck") {
    turns += 1;
    const at = now + turns * TURN_MS;
    const turn = (replay.world.session(scene.sessionId)?.turns ?? 0) + 1;
    for (const emitted of idleTurn(scene, turn)) replay.next({ ...emitted, at });
    replay.finish(at);
    isSent = take(turns);
  }
  replay.finish(now + WAIT_MS);
  take(turns);
  return steps;
}

function idleTurn({ sessionId, head }: Scene, turn: number): readonly Emitted[] {
  return onSession(
    sessionId,
    { type: "agent.finished", summary: "Done." },
    { type: "branch.seen", turn, head, ahead: 1 },
  );
}

function whyNot(key: string, { scene, hasPullRequest }: Ground, rule: ReactionRule | null): string | null {
  if (rule === null) return "no rule";
  if (needsNoPullRequest(key) && hasPullRequest) return "the session has a pull request";
  return whyImpossible(key, scene.policy);
}

function isStepOf(event: AnyEvent, key: string): boolean {
  switch (event.type) {
    case "reaction.sent":
    case "reaction.taken":
      return isOf(event.problem, key);
    case "problem.escalated":
      return isOf(event.id, key);
    case "merge.requested":
    case "merge.held":
      return key === "approved-and-green";
    case "notice.raised":
      return event.key === key;
    default:
      return false;
  }
}

function isOf(problemId: string, key: string): boolean {
  return problemId === key || problemId.startsWith(`${key}:`);
}
