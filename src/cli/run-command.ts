import { AoError } from "../core/errors.ts";
import { nameSessions } from "./args/name-session.ts";
import { parseArguments } from "./args/parse-arguments.ts";
import { didYouMean, misuse } from "./args/usage-error.ts";
import type { CommandSpec } from "./command.ts";
import { print } from "./views/print.ts";

/** Runs a command or the subcommand that its arguments name, or prints the help of either. */
export async function runCommand(named: CommandSpec, words: readonly string[]): Promise<void> {
  if (process.platform === "win32") {
    throw new AoError({ code: "unsupported", message: "ao does not run on Windows itself; run it inside WSL." });
  }
  const { command, args } = await descend(named, words);
  if (asksForHelp(args)) {
    const { renderHelp } = await import("./help.ts");
    print(renderHelp(command));
    return;
  }
  if (command.run === undefined) throw await missingSubcommand(command, args[0]);
  await command.run(await nameSessions(command, await parseArguments(command, args)));
}

/** Descends from a group to the subcommand that the next word names. */
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
