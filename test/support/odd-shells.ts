import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a person's shell may have that others do not; `null` means that a variable is not set. */
export interface OddShell {
  readonly env: Readonly<Record<string, string | null>>;
  readonly umask?: string;
}

/** Settings of a person's own git, which `ao` must neither trip over nor show. */
const GIT_SETTINGS = (folder: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  init: { defaultBranch: "trunk" },
  commit: { gpgSign: "true", verbose: "true" },
  tag: { gpgSign: "true" },
  gpg: { program: join(folder, "sign") },
  core: {
    autocrlf: "true",
    hooksPath: join(folder, "hooks"),
    pager: "false",
    editor: "false",
    abbrev: "40",
    quotePath: "true",
  },
  user: { useConfigOnly: "true" },
  color: { ui: "always" },
  column: { ui: "always" },
  diff: { external: "false", noprefix: "true", mnemonicPrefix: "true", renames: "copies" },
  log: { showSignature: "true", date: "raw", decorate: "full", follow: "true" },
  format: { pretty: "fuller" },
  merge: { ff: "only", conflictStyle: "diff3" },
  pull: { rebase: "true" },
  push: { default: "nothing" },
  status: { short: "true", branch: "true", showUntrackedFiles: "no" },
  rebase: { autoStash: "true" },
  fetch: { prune: "true" },
  transfer: { fsckObjects: "true" },
  safe: { directory: "/nowhere" },
});

const HOOKS = ["pre-commit", "commit-msg", "post-checkout", "post-merge", "reference-transaction"];
// What git reads from gpg, without a key.
const SIGN = `#!/bin/sh
cat > /dev/null
echo '
[GNUPG:] SIG_CREATED ' >&2
echo '-----BEGIN PGP SIGNATURE-----

none
-----END PGP SIGNATURE-----'
`;

/** The shells in which `ao` and its tests must work, by name; `folder` gets the files that they name. */
export function makeOddShells(folder: string): ReadonlyMap<string, OddShell> {
  const gitConfig = writeGitSettings(join(folder, "git"));
  const spacious = join(folder, "my home, größer");
  mkdirSync(spacious, { recursive: true });
  const shells: Record<string, OddShell> = {
    "a dumb terminal": { env: { TERM: "dumb" } },
    "no terminal, no language": { env: { TERM: null, LANG: null } },
    "the C locale": { env: { LANG: "C", LC_ALL: "C" } },
    "the Turkish locale": { env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", LANGUAGE: "tr" } },
    "a time zone of quarter hours": { env: { TZ: "Asia/Kathmandu" } },
    "20 columns": { env: { COLUMNS: "20", LINES: "5" } },
    "colors forced on": { env: { FORCE_COLOR: "3", CLICOLOR_FORCE: "1", COLORTERM: "truecolor" } },
    CI: { env: { CI: "true", GITHUB_ACTIONS: "true", NO_COLOR: "1" } },
    "umask 077": { env: {}, umask: "077" },
    "umask 000": { env: {}, umask: "000" },
    "a home with spaces": { env: { HOME: spacious } },
    "no home": { env: { HOME: null, USER: null, LOGNAME: null } },
    "a home that does not exist": { env: { HOME: join(folder, "gone"), XDG_CONFIG_HOME: join(folder, "gone/config") } },
    "its own git settings": { env: { GIT_CONFIG_GLOBAL: gitConfig, GIT_CONFIG_NOSYSTEM: null } },
    "a git hook": {
      env: { GIT_DIR: "/nowhere", GIT_WORK_TREE: "/nowhere", GIT_INDEX_FILE: "/nowhere/index", GIT_PREFIX: "sub/" },
    },
    "git's own switches": {
      env: { GIT_TRACE: "1", GIT_PAGER: "false", GIT_EDITOR: "false", GIT_AUTHOR_DATE: "2001-01-01T00:00:00Z" },
    },
    "other programs by default": {
      env: { PAGER: "false", EDITOR: "false", VISUAL: "false", SHELL: "/bin/false", ENV: "/nowhere", CDPATH: "/" },
    },
    "switches of the tools": { env: { POSIXLY_CORRECT: "1", NODE_ENV: "production", TMUX: "/nowhere,1,0" } },
  };
  return new Map(Object.entries(shells));
}

/** All of these at once; where two disagree, the later one. */
export function combine(shells: readonly OddShell[]): OddShell {
  const env = Object.assign({}, ...shells.map((shell) => shell.env)) as OddShell["env"];
  const umask = shells.findLast((shell) => shell.umask !== undefined)?.umask;
  return { env, ...(umask === undefined ? {} : { umask }) };
}

/** The command line that runs a program under a shell's umask. */
export function underUmask({ umask = "022" }: OddShell, program: string): [string, ...string[]] {
  return ["sh", "-c", `umask ${umask} && exec "$0" "$@"`, program];
}

/** An environment with a shell's differences. */
export function inShell({ env }: OddShell, usual: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries({ ...usual, ...env });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

function writeGitSettings(folder: string): string {
  const program = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  };
  mkdirSync(folder, { recursive: true });
  const real = realpathSync(folder);
  program(join(real, "sign"), SIGN);
  for (const name of HOOKS) program(join(real, "hooks", name), `#!/bin/sh\necho "${name} of the user" >&2\n`);
  const file = join(real, "config");
  const sections = Object.entries(GIT_SETTINGS(real)).map(([name, settings]) =>
    [`[${name}]`, ...Object.entries(settings).map(([key, value]) => `\t${key} = ${value}`)].join("\n"),
  );
  writeFileSync(file, `${sections.join("\n")}\n`);
  return file;
}
