export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly summary: string;
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** The value's name in the help: `--file FILE`. */
  readonly value?: string;
  /** Planned, but not in this version: rejected by name and not shown in the help. */
  readonly later?: boolean;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  readonly many?: boolean;
  /** Free text: taken as is, even with a leading dash. */
  readonly text?: boolean;
  /** What it names; `.` is the session of the current worktree, `@2` the session in row 2 of the last `ao list`. */
  readonly names?: "session" | "pull-request";
  /** All possible words, for completion. */
  readonly choices?: readonly string[];
  /** Optional inside a session's worktree. */
  readonly orHere?: boolean;
}

type Options = Readonly<Record<string, OptionSpec>>;

type Value<O extends OptionSpec> = O["type"] extends "boolean"
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string;

/** The user's input, validated against the command's spec. */
export interface Input<O extends Options = Options> {
  readonly args: readonly string[];
  /** What follows `--`, for a command that runs another. */
  readonly rest: readonly string[];
  readonly options: { readonly [K in keyof O]?: Value<O[K]> | undefined };
}

/** A command as data: the parser, the help, the reference page and completion are built from it. */
export interface CommandSpec<O extends Options = Options> {
  /** As typed after `ao`, including the group: `issue list`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, one line per form. */
  readonly usage: readonly string[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: O;
  /** Complete command lines. */
  readonly examples: readonly string[];
  readonly details?: string;
  /** What follows `--` is another command line. */
  readonly takesCommand?: boolean;
  readonly subcommands?: readonly CommandSpec[];
  /** Absent: the command is only a group. */
  run?(input: Input<O>): Promise<void>;
}

/** Ties the types of a command's options to the input of its `run`. */
export function defineCommand<const O extends Options>(spec: CommandSpec<O>): CommandSpec {
  return spec;
}

export const JSON_OPTION = { type: "boolean", summary: "print JSON for scripts" } as const;
export const PROJECT_OPTION = { type: "string", short: "p", value: "ID", summary: "the project" } as const;

/** A session argument, the same for every command. */
export const SESSION_ARGUMENT = {
  name: "SESSION",
  summary: "session id, unique prefix, issue number, or row of `ao list`; default: the worktree you are in",
  names: "session",
  orHere: true,
} as const;
