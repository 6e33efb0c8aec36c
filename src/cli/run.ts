import { AoError } from "../core/errors.ts";
import type { CommandSpec } from "./command.ts";
import { ALIASES, COMMANDS, LATER, loadAll } from "./command-table.ts";
import { nameSessions } from "./name-session.ts";
import { parseArguments } from "./parse-arguments.ts";
import { print } from "./print.ts";
import { didYouMean, misuse, notYet } from "./usage.ts";

/** Finds the command that the arguments name and runs it, or prints its help. */
export async function run(args: readonly string[]): Promise<void> {
  if (process.platform === "win32") {
    throw new AoError({ code: "unsupported", message: "ao does not run on Windows itself; run it inside WSL." });
  }
  const [first, ...rest] = args;
  if (first === undefined && process.stdin.isTTY && process.stdout.isTTY) return run(["ui"]);
  if (first === undefined || first === "--help" || first === "-h") return printMainHelp();
  if (first === "help") return rest.length === 0 ? printMainHelp() : run([...rest, "--help"]);
  const { command, args: own } = await descend(await loadCommand(first), rest);
  if (asksForHelp(own)) {
    const { renderHelp } = await import("./help.ts");
    print(renderHelp(command));
    return;
  }
  if (command.run === undefined) throw await missingSubcommand(command, own[0]);
  await command.run(await nameSessions(command, await parseArguments(command, own)));
}

async function loadCommand(name: string): Promise<CommandSpec> {
  const load = COMMANDS[ALIASES[name] ?? name];
  if (load !== undefined && Object.hasOwn(COMMANDS, ALIASES[name] ?? name)) return (await load()).command;
  if (LATER.includes(name)) throw notYet(`"ao ${name}"`, "`ao --help` lists what there is.");
  if (name.startsWith("-")) throw misuse(`unknown option ${name}`, "`ao --help` lists the commands.");
  const near = await didYouMean(name, [...Object.keys(COMMANDS), ...Object.keys(ALIASES)]);
  throw misuse(`unknown command "${name}"`, near ?? "`ao --help` lists the commands.");
}

/** Goes from a group to the subcommand that the next word names. */
async function descend(
  command: CommandSpec,
  args: readonly string[],
): Promise<{ readonly command: CommandSpec; readonly args: readonly string[] }> {
  const word = args[0];
  if (command.subcommands === undefined || word === undefined || word.startsWith("-")) return { command, args };
  const found = command.subcommands.find((sub) => sub.name === `${command.name} ${word}`);
  if (found === undefined) throw await missingSubcommand(command, word);
  return descend(found, args.slice(1));
}

async function missingSubcommand(group: CommandSpec, word: string | undefined): Promise<Error> {
  const words = (group.subcommands ?? []).map((sub) => sub.name.slice(group.name.length + 1));
  const list = `ao ${group.name} ${words.join(" | ")}`;
  if (word === undefined) return misuse(`"ao ${group.name}" needs a command`, list);
  return misuse(`unknown command "${group.name} ${word}"`, (await didYouMean(word, words)) ?? list);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

async function printMainHelp(): Promise<void> {
  const { renderMainHelp } = await import("./help.ts");
  print(renderMainHelp(await loadAll()));
}
