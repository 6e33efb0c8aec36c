import type { Settings } from "./settings.ts";

/** Which conversation the program is started for. */
export interface Start {
  readonly conversation: string;
  /** The program has already saved part of it. */
  readonly isKnown: boolean;
  /** Added to the program's system prompt; as a file, because every user can read arguments. */
  readonly briefFile?: string | null;
}

/**
 * The brief goes into the system prompt, unless the user's own command adds to it: the program accepts one addition.
 */
export function takesBrief({ command }: Settings): boolean {
  return !command.some((argument) => argument.startsWith("--append-system-prompt"));
}

// The arguments that pass the brief.
function briefArguments(settings: Settings, { briefFile = null }: Start): readonly string[] {
  return briefFile === null || !takesBrief(settings) ? [] : ["--append-system-prompt-file", briefFile];
}

// The policy in the program's terms. Not `acceptEdits`: in that mode it also runs `rm`, `mv`, `sed -i` and others in the
// workspace without asking.
const MODES = { ask: "default", edits: "default", all: "bypassPermissions" } as const;
const FREE_EDITS = "Edit(./**)";

function rulesOf({ permissions, allow, ask, deny }: Settings): Readonly<Record<string, readonly string[]>> {
  const free = permissions === "edits" ? [FREE_EDITS] : [];
  return { allow: [...free, ...allow.flatMap(toRules)], ask: ask.flatMap(toRules), deny: deny.flatMap(toRules) };
}

/** The arguments for one launch. The mode is always set: otherwise the program may choose one that asks a model. */
export function composeArguments(settings: Settings, start: Start): readonly string[] {
  const rules = rulesOf(settings);
  const hasRules = Object.values(rules).some((list) => list.length > 0);
  return [
    "-p",
    ...["--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--replay-user-messages"],
    ...["--permission-prompt-tool", "stdio", "--permission-mode", MODES[settings.permissions]],
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    // For this launch only; as a list, because commands may contain the commas that the flags would split at.
    ...(hasRules ? ["--settings", JSON.stringify({ permissions: rules })] : []),
    ...briefArguments(settings, start),
    start.isKnown ? "--resume" : "--session-id",
    start.conversation,
  ];
}

/** The arguments for one launch in a terminal; the rest is in the settings file of this launch. */
export function composeTerminalArguments(settings: Settings, start: Start, settingsFile: string): readonly string[] {
  return [
    ...["--permission-mode", MODES[settings.permissions], "--settings", settingsFile],
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    ...briefArguments(settings, start),
    start.isKnown ? "--resume" : "--session-id",
    start.conversation,
  ];
}

/** The settings file of one launch; the user's own settings still apply. */
export function composeSettings(settings: Settings, hooks: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ hooks, permissions: rulesOf(settings) }, null, 2);
}

/** The program's rules for a policy entry: a rule in its own syntax, a path, or else a command. */
export function toRules(entry: string): readonly string[] {
  if (/^([A-Z][A-Za-z]*(\(.*\))?|mcp__.*)$/s.test(entry)) return [entry];
  // In its rules, a path with one slash is relative to the settings; two slashes make it absolute.
  if (/^(\/|~\/|\.\.?\/)/.test(entry)) {
    const path = entry.startsWith("/") ? `/${entry}` : entry;
    return [`Read(${path})`, `Edit(${path})`];
  }
  return [`Bash(${entry})`];
}

const PER_LAUNCH = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  // Writes a prompt to disk before calling the model, instead of some moments later.
  CLAUDE_CODE_EAGER_FLUSH: "1",
} as const;
/** A session inside another one refuses to start, or reports to it. */
const OF_ANOTHER = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID"];

/** The environment for one launch; the user's own values win. */
export function composeEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return { ...PER_LAUNCH, ...Object.fromEntries(Object.entries(env).filter(([name]) => !OF_ANOTHER.includes(name))) };
}
