import { aliasesOf } from "./aliases.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import type { CommandGroup } from "./command-table.ts";

const INTRO = "ao runs many coding agents at once, each in its own worktree and branch.";

/** The text of `ao --help`. */
export function renderMainHelp(groups: readonly CommandGroup[]): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)));
  return [
    INTRO,
    "",
    "usage: ao COMMAND [arguments] [options]",
    ...groups.flatMap(({ title, commands }) => [
      "",
      `${title}:`,
      ...columns(
        commands.map((command) => [command.name, command.summary]),
        width,
      ),
    ]),
    "",
    "example:",
    '  ao start ~/code/my-app && ao new "Fix the login form" && ao list --watch',
    "",
    "`ao` without a command opens the live board. Name a session by its id, a unique prefix of it, or its issue number.",
    "`ao COMMAND --help` describes a command; `ao --version` prints the version.",
    "",
  ].join("\n");
}

/** The text of `ao COMMAND --help`. */
export function renderHelp(command: CommandSpec): string {
  const sections = [command.summary, section("usage:", usageLines(command).map(indent))];
  if (command.subcommands !== undefined) {
    sections.push(section("commands:", columns(command.subcommands.map((sub) => [sub.name, sub.summary]))));
  }
  if (command.arguments.length > 0) {
    sections.push(
      section("arguments:", columns(command.arguments.map((argument) => [argument.name, argument.summary]))),
    );
  }
  sections.push(section("options:", columns([...optionRows(command), ["-h, --help", "show this help"]])));
  if (command.details !== undefined) sections.push(command.details);
  const aliases = aliasesOf(command.name);
  if (aliases.length > 0) sections.push(`also: ${aliases.map((alias) => `ao ${alias}`).join(", ")}`);
  sections.push(section(command.examples.length === 1 ? "example:" : "examples:", command.examples.map(indent)));
  return `${sections.join("\n\n")}\n`;
}

/** Every form of a command line. */
export function usageLines(command: CommandSpec): readonly string[] {
  return command.usage.map((form) => `ao ${command.name} ${form}`.trimEnd());
}

/** `-f, --follow` with its summary, for each implemented option. */
export function optionRows(command: CommandSpec): readonly (readonly [string, string])[] {
  return Object.entries(command.options)
    .filter(([, option]) => !option.later)
    .map(([name, option]) => [optionForm(name, option), option.summary]);
}

function optionForm(name: string, option: OptionSpec): string {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  return `${short}--${name}${option.type === "string" ? ` ${option.value ?? "VALUE"}` : ""}`;
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines].join("\n");
}

function columns(
  rows: readonly (readonly [string, string])[],
  width = Math.max(...rows.map(([left]) => left.length)),
): readonly string[] {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function indent(line: string): string {
  return `  ${line}`;
}
