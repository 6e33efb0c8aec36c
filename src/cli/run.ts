import { ALIASES } from "./aliases.ts";
import type { CommandSpec } from "./command.ts";
import { COMMANDS, LATER, loadGroups } from "./command-table.ts";
import { print } from "./print.ts";
import { runCommand } from "./run-command.ts";
import { didYouMean, misuse, notYet } from "./usage.ts";

/** Finds the command that the arguments name and runs it, or prints its help. */
export async function run(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === undefined && process.stdin.isTTY && process.stdout.isTTY) return run(["ui"]);
  if (first === undefined || first === "--help" || first === "-h") return printMainHelp();
  if (first === "help") return rest.length === 0 ? printMainHelp() : run([...rest, "--help"]);
  await runCommand(await loadCommand(first), rest);
}

async function loadCommand(name: string): Promise<CommandSpec> {
  const load = COMMANDS[ALIASES[name] ?? name];
  if (load !== undefined && Object.hasOwn(COMMANDS, ALIASES[name] ?? name)) return (await load()).command;
  if (LATER.includes(name)) throw notYet(`"ao ${name}"`, "`ao --help` lists what there is.");
  if (name.startsWith("-")) throw misuse(`unknown option ${name}`, "`ao --help` lists the commands.");
  const near = await didYouMean(name, [...Object.keys(COMMANDS), ...Object.keys(ALIASES)]);
  throw misuse(`unknown command "${name}"`, near ?? "`ao --help` lists the commands.");
}

async function printMainHelp(): Promise<void> {
  const { renderMainHelp } = await import("./help.ts");
  print(renderMainHelp(await loadGroups()));
}
