import type { ChangeState } from "../change/state.ts";
import { type Emitted, onFleet } from "../event.ts";
import { describeFailure, type Intent, type IntentOutcome, type IntentSpec, intentId } from "../intent.ts";
import type { SessionState } from "../session/state.ts";
import { changeStream, type StreamId, sessionStream } from "../stream.ts";
import type { CommandRun } from "./command-run.ts";

type CommandSpec = Extract<IntentSpec, { readonly kind: "run-command" }>;

/** The commands to run for a pull request, one after another. */
export function changeCommands({ key: changeKey, commands = [] }: ChangeState): readonly Intent[] {
  return toIntents(changeStream(changeKey), commands, (commandId) => ({ kind: "run-command", changeKey, commandId }));
}

/** The same for a session. */
export function sessionCommands({ id: sessionId, commands = [] }: SessionState): readonly Intent[] {
  return toIntents(sessionStream(sessionId), commands, (commandId) => ({ kind: "run-command", sessionId, commandId }));
}

function toIntents(
  stream: StreamId,
  commands: readonly CommandRun[],
  specOf: (commandId: string) => CommandSpec,
): readonly Intent[] {
  return commands.map(({ id }) => ({
    id: intentId(stream, "run-command", id, 1),
    stream,
    lane: `command:${stream}`,
    spec: specOf(id),
  }));
}

/** How a command ended; people are notified of a failure, because no agent can fix it. */
export function decideCommandOutcome(
  owner: SessionState | ChangeState,
  spec: CommandSpec,
  outcome: IntentOutcome,
): readonly Emitted[] {
  const stream = "changeKey" in spec ? changeStream(spec.changeKey) : sessionStream(spec.sessionId);
  const isEnded = outcome.kind === "command-ended";
  const code = isEnded ? outcome.code : null;
  const reason = isEnded ? outcome.reason : describeFailure(outcome);
  const finished: Emitted = { stream, event: { type: "command.finished", id: spec.commandId, code, reason } };
  const command = (owner.commands ?? []).find(({ id }) => id === spec.commandId);
  if (code === 0 || command === undefined) return [finished];
  const sessionId = "number" in owner ? owner.sessionId : owner.id;
  const name = "number" in owner ? `#${owner.number}` : owner.id;
  return [
    finished,
    ...onFleet({
      type: "notice.raised",
      id: `${stream}/command/${command.id}`,
      priority: "action",
      key: command.cause,
      title: `${name}: the command for ${command.cause} failed`,
      text: reason,
      projectId: owner.projectId,
      sessionId,
      act: sessionId === null ? null : `ao logs ${sessionId}`,
    }),
  ];
}
