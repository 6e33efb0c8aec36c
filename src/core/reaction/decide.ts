import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import { splitStream } from "../stream.ts";
import type { World } from "../world.ts";

/** Dismisses an escalated problem until it changes. */
export function decideAcknowledge(world: World, command: CommandOf<"inbox.acknowledge">): Decision {
  const { kind, id } = splitStream(command.stream);
  const owner = kind === "change" ? world.change(id) : world.session(id);
  const problem = owner?.problems[command.problem];
  if (problem === undefined) {
    return reject("not-found", "The inbox has no such item.", "`ao inbox` lists them.");
  }
  if (problem.acknowledged) return accept([]);
  return accept([{ stream: command.stream, event: { type: "problem.acknowledged", id: problem.id, by: command.by } }]);
}
