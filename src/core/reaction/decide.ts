import type { ChangeState } from "../change/state.ts";
import { HELD_PUSH } from "../change/trust.ts";
import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import { limitNetwork, type NetworkLimit } from "../network-limit.ts";
import { decideBaseAccepted } from "../project/decide-repository.ts";
import type { SessionState } from "../session/state.ts";
import { splitStream } from "../stream.ts";
import type { World } from "../world.ts";
import { isWaitingForApproval } from "./plan-reaction.ts";
import { isPassed, type Problem } from "./problem.ts";
import { refuseUntrusted } from "./refuse-untrusted.ts";
import { ruleFor } from "./rule-for.ts";
import { UNTRUSTED_KEY } from "./untrusted.ts";

/** Dismisses an escalated problem until it changes. */
export function decideAcknowledge(world: World, command: CommandOf<"inbox.acknowledge">): Decision {
  const { kind, id } = splitStream(command.stream);
  if (kind === "project") return accept(decideBaseAccepted(world, id, command.by));
  return requireProblem(world, command, (problem) => {
    if (problem.acknowledged) return accept([]);
    const event = { type: "problem.acknowledged", id: problem.id, by: command.by } as const;
    return accept([{ stream: command.stream, event }]);
  });
}

/** Sends the agent the message that waits for a person. */
export function decidePass(world: World, command: CommandOf<"inbox.pass">): Decision {
  return requireProblem(world, command, (problem, owner) => {
    const policy = world.project(owner.projectId)?.policy ?? null;
    const isHeld = problem.key === HELD_PUSH && !isPassed(problem);
    if (policy === null || !(isHeld || isWaitingForApproval(problem, ruleFor(policy, problem.key)))) {
      return reject("conflict", "No message about this waits for your approval.", "`ao inbox` lists what does.");
    }
    const sessionId = "sessionId" in owner ? owner.sessionId : owner.id;
    const limit = problem.key === UNTRUSTED_KEY ? limitOf(world, sessionId) : null;
    if (limit?.kind === "impossible") return refuseUntrusted(`session ${sessionId}`, limit);
    const event = { type: "problem.passed", id: problem.id, by: command.by } as const;
    return accept([{ stream: command.stream, event }]);
  });
}

function limitOf(world: World, sessionId: string | null): NetworkLimit | null {
  const session = sessionId === null ? undefined : world.session(sessionId);
  return session === undefined ? null : limitNetwork(session.agent, world.project(session.projectId)?.policy?.trust);
}

function requireProblem(
  world: World,
  command: CommandOf<"inbox.acknowledge" | "inbox.pass">,
  then: (problem: Problem, owner: SessionState | ChangeState) => Decision,
): Decision {
  const { kind, id } = splitStream(command.stream);
  const owner = kind === "change" ? world.change(id) : world.session(id);
  const problem = owner?.problems[command.problem];
  if (owner !== undefined && problem !== undefined) return then(problem, owner);
  return reject("not-found", "The inbox has no such item.", "`ao inbox` lists them.");
}
