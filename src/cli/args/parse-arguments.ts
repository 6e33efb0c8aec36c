import { parseArgs } from "node:util";
import type { CommandSpec, Input, OptionSpec } from "../command.ts";
import { didYouMean, misuse, notYet } from "./usage-error.ts";

/** Parses a command's arguments by its spec; throws `usage` with the closest option or the right form as a hint. */
export async function parseArguments(spec: CommandSpec, written: readonly string[]): Promise<Input> {
  const { args, rest } = splitCommand(spec, written);
  // Node loads its parser on the first call, which a command without arguments can skip.
  const tokens = args.length === 0 ? [] : tokenize(spec, args);
  const positionals: string[] = [];
  const options: Record<string, string | boolean | string[]> = {};
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = spec.options[token.name];
    if (option === undefined) throw await unknownOption(spec, token.rawName);
    const value = readValue(spec, option, token);
    if (option.multiple) options[token.name] = [...((options[token.name] as string[]) ?? []), String(value)];
    else options[token.name] = value;
  }
  checkCount(spec, positionals);
  return { args: positionals, rest, options: options as Input["options"] };
}

function splitCommand(
  spec: CommandSpec,
  args: readonly string[],
): { readonly args: readonly string[]; readonly rest: readonly string[] } {
  const end = spec.takesCommand === true ? args.indexOf("--") : -1;
  return end < 0 ? { args, rest: [] } : { args: args.slice(0, end), rest: args.slice(end + 1) };
}

function tokenize(spec: CommandSpec, args: readonly string[]) {
  // Not strict: the library's own messages do not know the command, so we do the checks.
  return parseArgs({
    args: [...protectText(spec, args)],
    options: Object.fromEntries(Object.entries(spec.options).map(([name, option]) => [name, parserOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

function parserOption(option: OptionSpec): { type: "string" | "boolean"; short?: string; multiple: boolean } {
  const base = { type: option.type, multiple: option.multiple === true };
  return option.short === undefined ? base : { ...base, short: option.short };
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readValue(spec: CommandSpec, option: OptionSpec, token: OptionToken): string | boolean {
  if (option.later) throw notYet(`${token.rawName} of "ao ${spec.name}"`);
  if (option.type === "boolean") {
    if (token.value === undefined) return true;
    throw misuse(`${token.rawName} takes no value`, usageHint(spec));
  }
  if (token.value === undefined) throw misuse(`${token.rawName} needs a value`, usageHint(spec));
  if (token.inlineValue !== true && /^-./.test(token.value)) {
    // More likely a forgotten value than a value that starts with a dash.
    throw misuse(`${token.rawName} needs a value`, `For a value with a dash write ${token.rawName}=${token.value}`);
  }
  return token.value;
}

/** Puts `--` before a text that starts with a dash, unless it is an option of the command. */
function protectText(spec: CommandSpec, args: readonly string[]): readonly string[] {
  const index = spec.arguments.findIndex((argument) => argument.text);
  if (index < 0) return args;
  let seen = 0;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return args;
    const option = findOption(spec, arg);
    if (option !== null) {
      if (option.type === "string" && !arg.includes("=")) at += 1;
    } else if (seen === index && arg.startsWith("-")) {
      return [...args.slice(0, at), "--", ...args.slice(at)];
    } else if (!arg.startsWith("-")) {
      seen += 1;
    }
  }
  return args;
}

function findOption(spec: CommandSpec, arg: string): OptionSpec | null {
  const name = /^--([^=\s]+)(?:=|$)/.exec(arg)?.[1];
  if (name !== undefined && Object.hasOwn(spec.options, name)) return spec.options[name] ?? null;
  const short = /^-([A-Za-z])$/.exec(arg)?.[1];
  return Object.values(spec.options).find((option) => short !== undefined && option.short === short) ?? null;
}

async function unknownOption(spec: CommandSpec, rawName: string): Promise<Error> {
  const known = Object.keys(spec.options).filter((name) => spec.options[name]?.later !== true);
  const near = rawName.startsWith("--")
    ? await didYouMean(
        rawName,
        known.map((name) => `--${name}`),
      )
    : undefined;
  return misuse(`unknown option ${rawName} for "ao ${spec.name}"`, near ?? `ao ${spec.name} --help lists the options`);
}

function checkCount(spec: CommandSpec, positionals: readonly string[]): void {
  const missing = spec.arguments.find(
    (argument, index) => !argument.optional && !argument.orHere && positionals.length <= index,
  );
  if (missing !== undefined) throw misuse(`"ao ${spec.name}" needs ${missing.name}`, usageHint(spec));
  const takesMany = spec.arguments.some((argument) => argument.many);
  const extra = positionals[spec.arguments.length];
  if (extra !== undefined && !takesMany) {
    throw misuse(`unexpected argument for "ao ${spec.name}": ${JSON.stringify(extra)}`, usageHint(spec));
  }
}

/** The valid forms of a command line, as a hint. */
export function usageHint(spec: CommandSpec): string {
  return `usage: ${spec.usage.map((form) => `ao ${spec.name} ${form}`.trimEnd()).join("  or  ")}`;
}
