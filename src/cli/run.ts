import { ALIASES } from "./aliases.ts";
import { didYouMean, misuse, notYet } from "./args/usage-error.ts";
import type { CommandSpec } from "./command.ts";
import { COMMANDS, LATER, loadAll, loadGroups } from "./command-table.ts";
import { runCommand } from "./run-command.ts";
import { print } from "./views/print.ts";

/** Finds the command that the arguments name and runs it, or prints its help. */
export async function run(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === undefined && process.stdin.isTTY && process.stdout.isTTY) return run(["ui"]);
  if (first === undefined || first === "--help" || first === "-h") return printMainHelp();
  if (first === "help") return rest.length === 0 ? printMainHelp() : run([...rest, "--help"]);
  if (first === "__complete") return printCandidates(rest);
  await runCommand(await loadCommand(first), rest);
}

/** Output for the completion scripts: one candidate per line, with its meaning after a tab. */
async function printCandidates(words: readonly string[]): Promise<void> {
  const { complete } = await import("./args/complete.ts");
  const { connectLiveNames } = await import("./args/live-names.ts");
  const found = await complete(await loadAll(), words, connectLiveNames());
  const { visibleLine } = await import("./views/visible.ts");
  if (found.length > 0) print(found.map(({ value, summary }) => `${value}\t${visibleLine(summary)}`).join("\n"));
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
