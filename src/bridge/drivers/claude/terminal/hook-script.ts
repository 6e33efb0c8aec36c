/**
 * What Claude Code runs at each event, with the folder for events as its first argument. The event is written beside and
 * then linked under the next number, so that a reader finds whole files in the order of the events; it costs a few
 * milliseconds and works while nobody reads. With `ask` as second argument it then waits, without using the machine, until
 * somebody writes to the pipe w<number>, and says what stands in a<number>; nothing there means: it was decided elsewhere.
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

/** Events that are told; those of tools are told of every tool. */
const TOLD = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "StopFailure",
];
const TOLD_SECONDS = 10;
/** A question may wait for a person over a weekend. */
const ASKED_SECONDS = 7 * 24 * 3600;

/** The settings by which Claude Code runs the script for one launch, beside all hooks of the user. */
export function composeHooks(script: string, folder: string): Readonly<Record<string, unknown>> {
  const command = ["sh", script, folder].map(quote).join(" ");
  const hook = (event: string, line: string, timeout: number): readonly [string, unknown] => {
    const matcher = event.includes("Tool") || event.includes("Permission") ? { matcher: "*" } : {};
    return [event, [{ ...matcher, hooks: [{ type: "command", command: line, timeout }] }]];
  };
  return Object.fromEntries([
    ...TOLD.map((event) => hook(event, command, TOLD_SECONDS)),
    hook("PermissionRequest", `${command} ask`, ASKED_SECONDS),
  ]);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
