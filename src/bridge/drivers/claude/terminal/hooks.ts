import { z } from "zod";
import type { TurnEnd } from "../../../driver.ts";
import { endOf } from "../../../kit/vendor-failure.ts";
import { NAMES } from "../turn-end.ts";

/**
 * Claude Code runs this at each event, with the events folder as its first argument. The event is written to a
 * temporary file and then linked under the next number, so a reader finds complete files in the order of the events;
 * this takes a few milliseconds and works without a reader. With `ask` as the second argument it then blocks until
 * something is written to the pipe w<number>, and prints the content of a<number>; no such file means that it was
 * decided elsewhere.
 */
export const HOOK_SCRIPT = `#!/bin/sh
umask 077
dir=$1
temp="$dir/.$$"
cat >"$temp" || exit 0
for last in "$dir"/e*; do :; done
n=\${last##*/e}
[ "$n" = '*' ] && n=${100_000_000}
tries=0
until n=$((n + 1)); ln "$temp" "$dir/e$n" 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 1000 ] || exit 0
done
rm -f "$temp"
[ "\${2-}" = ask ] || exit 0
mkfifo "$dir/w$n" || exit 0
read -r _ <"$dir/w$n"
[ ! -f "$dir/a$n" ] || cat "$dir/a$n"
rm -f "$dir/w$n" "$dir/a$n"
`;

/** Events that are reported; those about tools are reported for every tool. */
const REPORTED = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "StopFailure",
];
const REPORTED_SECONDS = 10;
/** A question may wait for a person over a weekend. */
const ASKED_SECONDS = 7 * 24 * 3600;

/** The settings that make Claude Code run the script for one launch, in addition to the user's hooks. */
export function composeHooks(script: string, folder: string): Readonly<Record<string, unknown>> {
  const command = ["sh", script, folder].map(quote).join(" ");
  const hook = (event: string, line: string, timeout: number): readonly [string, unknown] => {
    const matcher = event.includes("Tool") || event.includes("Permission") ? { matcher: "*" } : {};
    return [event, [{ ...matcher, hooks: [{ type: "command", command: line, timeout }] }]];
  };
  return Object.fromEntries([
    ...REPORTED.map((event) => hook(event, command, REPORTED_SECONDS)),
    hook("PermissionRequest", `${command} ask`, ASKED_SECONDS),
  ]);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

const HookEvent = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().catch(""),
  source: z.string().catch(""),
  prompt: z.string().catch(""),
  tool_name: z.string().catch(""),
  tool_input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: z.string().optional().catch(undefined),
  permission_suggestions: z.array(z.looseObject({ type: z.string() })).catch([]),
  last_assistant_message: z.string().catch(""),
  error: z.string().catch(""),
  error_details: z.string().catch(""),
});
/** The fields of Claude Code's hook input that we use. */
export type HookEvent = z.infer<typeof HookEvent>;

/** Parses an event; null if it is not one. */
export function parseHookEvent(text: string): HookEvent | null {
  try {
    return HookEvent.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** How a turn failed; the program's own message is in its last words. */
export function readFailure(event: HookEvent): TurnEnd {
  const words = event.last_assistant_message || event.error_details || event.error;
  return endOf({ words: words.trim().split("\n")[0] ?? "", code: event.error }, NAMES);
}
