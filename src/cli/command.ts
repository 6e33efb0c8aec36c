export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly summary: string;
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** What stands for the value in the help: `--file FILE`. */
  readonly value?: string;
  /** Known, but not in this version: refused by name and not shown in the help. */
  readonly later?: boolean;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  readonly many?: boolean;
  /** Free text: what stands here is taken as it is, even with a dash in front. */
  readonly text?: boolean;
  /** What it names; `.` is the session of the worktree you are in, `@2` the session in row 2 of the last `ao list`. */
  readonly names?: "session" | "pull-request";
  /** All words that may stand here, for completion. */
  readonly choices?: readonly string[];
  /** May be left out inside a session's worktree. */
  readonly orHere?: boolean;
}

type Options = Readonly<Record<string, OptionSpec>>;

type Value<O extends OptionSpec> = O["type"] extends "boolean"
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string;

/** What the user wrote, checked against the command's spec. */
export interface Input<O extends Options = Options> {
  readonly args: readonly string[];
  /** What follows `--`, for a command that runs another. */
  readonly rest: readonly string[];
  readonly options: { readonly [K in keyof O]?: Value<O[K]> | undefined };
}

/** A command as data: the parser, the help, the reference page and completion are made from it. */
export interface CommandSpec<O extends Options = Options> {
  /** As typed after `ao`, with the group in front: `issue list`. */
  readonly name: string;
  readonly summary: string;
  /** What stands after the name, one line for each form. */
  readonly usage: readonly string[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: O;
  /** Whole command lines. */
  readonly examples: readonly string[];
  readonly details?: string;
  /** What follows `--` is a command line of its own. */
  readonly takesCommand?: boolean;
  readonly subcommands?: readonly CommandSpec[];
  /** Absent: the command is only a group. */
  run?(input: Input<O>): Promise<void>;
}

/** Ties the types of a command's options to what its `run` receives. */
export function defineCommand<const O extends Options>(spec: CommandSpec<O>): CommandSpec {
  return spec;
}

export const JSON_OPTION = { type: "boolean", summary: "print JSON for scripts" } as const;
export const PROJECT_OPTION = { type: "string", short: "p", value: "ID", summary: "the project" } as const;

/** A session, as any command takes it. */
export const SESSION_ARGUMENT = {
  name: "SESSION",
  summary: "session id, unique prefix, issue number, or row of `ao list`; default: the worktree you are in",
  names: "session",
  orHere: true,
} as const;
