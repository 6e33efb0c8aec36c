import type { ModuleRef } from "../hook/hook.ts";

/** A shell command that a rule or a hook wants run, or a hook in code, until it is over. */
export interface CommandRun {
  readonly id: string;
  /** What it is run for: the key of a reaction, or the point of a hook. */
  readonly cause: string;
  /** The shell command; for a hook in code, the name of its module. */
  readonly run: string;
  /** The module to call; absent: `run` is a shell command. */
  readonly module?: ModuleRef;
  /** Longest run time; absent: a minute. */
  readonly timeoutMs?: number;
  /** One sentence about what happened, for the command. */
  readonly text: string;
  readonly at: number;
}

/** The events are the same on sessions and changes. */
export type CommandEvent =
  | ({ readonly type: "command.queued" } & Omit<CommandRun, "at">)
  /** code null: it did not end by itself. */
  | { readonly type: "command.finished"; readonly id: string; readonly code: number | null; readonly reason: string };

/** Applies one event to a session or change that has commands. */
export function evolveCommands<T extends { readonly commands?: readonly CommandRun[] }>(
  owner: T,
  event: CommandEvent,
  at: number,
): T {
  const { commands = [] } = owner;
  if (event.type === "command.finished") return { ...owner, commands: commands.filter(({ id }) => id !== event.id) };
  const { type: _, ...command } = event;
  return commands.some(({ id }) => id === event.id) ? owner : { ...owner, commands: [...commands, { ...command, at }] };
}

/** Is this one of the events about commands? */
export function isCommandEvent(event: { readonly type: string }): event is CommandEvent {
  return event.type === "command.queued" || event.type === "command.finished";
}
