import { ALIASES, aliasesOf } from "../aliases.ts";
import type { CommandSpec, OptionSpec } from "../command.ts";

/** A possible word at the cursor, and its meaning. */
export interface Candidate {
  readonly value: string;
  readonly summary: string;
}

/** What only the daemon knows. */
export interface LiveNames {
  sessions(): Promise<readonly Candidate[]>;
  projects(): Promise<readonly Candidate[]>;
  pullRequests(): Promise<readonly Candidate[]>;
  choices(session: string): Promise<readonly Candidate[]>;
}

/** Candidates for the last of the words after `ao`; empty where the shell's own file completion is just as good. */
export async function complete(
  commands: readonly CommandSpec[],
  words: readonly string[],
  live: LiveNames,
): Promise<readonly Candidate[]> {
  const partial = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const found = await candidatesAfter(commands, before, { partial, live });
  return found.filter(({ value }) => value.startsWith(partial));
}

interface Cursor {
  readonly partial: string;
  readonly live: LiveNames;
}

async function candidatesAfter(
  commands: readonly CommandSpec[],
  [first, ...rest]: readonly string[],
  cursor: Cursor,
): Promise<readonly Candidate[]> {
  if (first === undefined) return commands.flatMap(namesOf);
  const named = commands.find(({ name }) => name === (ALIASES[first] ?? first));
  if (named === undefined) return [];
  const { command, words } = descend(named, rest);
  if (command.subcommands !== undefined && words.length === 0 && !cursor.partial.startsWith("-")) {
    return command.subcommands.map((sub) => ({ value: sub.name.slice(command.name.length + 1), summary: sub.summary }));
  }
  // After `--` another program's words start.
  if (words.includes("--")) return [];
  const asked = optionOf(command, words.at(-1) ?? "");
  if (asked?.type === "string") return asked.value === "ID" ? cursor.live.projects() : [];
  if (cursor.partial.startsWith("-")) return optionsOf(command);
  return argumentsAt(command, positionals(command, words), cursor.live);
}

function namesOf({ name, summary }: CommandSpec): readonly Candidate[] {
  return [name, ...aliasesOf(name)].map((value) => ({ value, summary }));
}

function descend(
  command: CommandSpec,
  words: readonly string[],
): { readonly command: CommandSpec; readonly words: readonly string[] } {
  const sub = command.subcommands?.find(({ name }) => name === `${command.name} ${words[0]}`);
  return sub === undefined ? { command, words } : descend(sub, words.slice(1));
}

function optionOf(command: CommandSpec, word: string): OptionSpec | undefined {
  if (word.startsWith("--")) return command.options[word.slice(2)];
  return Object.values(command.options).find(({ short }) => short !== undefined && word === `-${short}`);
}

function optionsOf(command: CommandSpec): readonly Candidate[] {
  const own = Object.entries(command.options).filter(([, option]) => option.later !== true);
  const rows = own.map(([name, { summary }]) => ({ value: `--${name}`, summary }));
  return [...rows, { value: "--help", summary: "show this help" }];
}

function positionals(command: CommandSpec, words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    const isValue = optionOf(command, words[index - 1] ?? "")?.type === "string";
    return !isValue && !word.startsWith("-");
  });
}

async function argumentsAt(
  command: CommandSpec,
  given: readonly string[],
  live: LiveNames,
): Promise<readonly Candidate[]> {
  const [session = ""] = given;
  if (command.name === "answer" && given.length === 1) return live.choices(session);
  if (command.name === "remove-project" && given.length === 0) return live.projects();
  const last = command.arguments.at(-1);
  const argument = command.arguments[given.length] ?? (last?.many === true ? last : undefined);
  if (argument?.choices !== undefined) return argument.choices.map((value) => ({ value, summary: "" }));
  if (argument?.names === "session") return live.sessions();
  return argument?.names === "pull-request" ? [...(await live.pullRequests()), ...(await live.sessions())] : [];
}
