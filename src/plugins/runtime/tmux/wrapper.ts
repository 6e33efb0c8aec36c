import { AoError } from "../../../core/errors.ts";
import { SERVER_ENVIRONMENT } from "../../../providers/tmux/client.ts";

/**
 * What runs in the pane, once as the wrapper and once more (`program`) as the shell that becomes the program.
 *
 * - `claim` is created by whoever comes first: the wrapper, which then runs the program, or `ao`, which has given up on
 *   the run. So a terminal that starts late never starts a second agent.
 * - The program runs in the foreground, in the wrapper's process group; it writes its own pid before it becomes the
 *   program.
 * - The traps keep the wrapper alive until the program is gone (Ctrl-C and TERM reach the whole group), and are not
 *   inherited by the program. After a hang-up the terminal is gone: that is recorded as such, not as an exit.
 * - The space for the exit code is taken before the program runs, and then written over: it may fill the disk.
 */
export const WRAPPER = `#!/bin/sh
_ao_dir=\${0%/*}
if [ "\${1-}" = program ]; then
  echo "$$" >"$_ao_dir/pid"
  . "$_ao_dir/launch"
fi
mkdir "$_ao_dir/claim" 2>/dev/null || exit 1
echo "$$" >"$_ao_dir/wrapper"
_ao_hangup=
trap : INT QUIT TERM
trap '_ao_hangup=1' HUP
echo '            ' >"$_ao_dir/exit.new"
sh "$0" program
_ao_code=$?
if [ -n "$_ao_hangup" ]; then
  echo "The terminal was closed under the program: its tmux session or server was killed." >"$_ao_dir/gone.new"
  exec mv -f "$_ao_dir/gone.new" "$_ao_dir/gone"
fi
echo "$_ao_code" 1<>"$_ao_dir/exit.new"
exec mv -f "$_ao_dir/exit.new" "$_ao_dir/exit"
`;

// What the terminal itself sets; the daemon's own values would describe another terminal.
const OF_THE_TERMINAL = new Set([
  "TERM",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "TMUX",
  "TMUX_PANE",
  "COLUMNS",
  "LINES",
]);
// Read-only or validated in one shell or another; an assignment would end the wrapper.
const OF_THE_SHELL = new Set(["UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "OPTIND", "LINENO"]);

export interface Launch {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly argv: readonly string[];
}

/**
 * The file that the program's shell reads: environment, folder and arguments. It is a file because every user of the
 * machine can see a process's arguments, and because tmux rejects commands above 16 KiB. It removes itself.
 */
export function formatLaunch(launch: Launch): string {
  const exports = Object.entries(launch.env)
    .filter(([name]) => canExport(name) && !OF_THE_TERMINAL.has(name))
    .map(([name, value]) => `export ${name}=${quote(value)}`);
  return [
    'rm -f -- "$_ao_dir/launch"',
    `cd ${quote(launch.cwd)} || exit 126`,
    // Variables of the tmux server are not the program's. Above all TMUX: an agent that runs tmux itself must not reach
    // the server that holds every other agent.
    `unset TMUX TMUX_PANE AO_INTENT SHELL OLDPWD ${SERVER_ENVIRONMENT.join(" ")}`,
    ...exports,
    `exec ${launch.argv.map(quote).join(" ")}`,
    "",
  ].join("\n");
}

/** Can a shell export a variable with this name? */
export function canExport(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_THE_SHELL.has(name);
}

/** One word for a POSIX shell; nothing in it is special. */
export function quote(text: string): string {
  if (text.includes("\0")) {
    throw new AoError({ code: "usage", message: "An argument or variable of the agent holds a zero byte." });
  }
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
