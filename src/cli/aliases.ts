/**
 * Other names of the same commands; separate from the table, so that a command's help can list them without loading it.
 */
export const ALIASES: Readonly<Record<string, string>> = {
  spawn: "new",
  "batch-spawn": "new",
  ls: "list",
  ps: "list",
  top: "ui",
  show: "status",
  log: "logs",
  dashboard: "open",
  kill: "stop",
  rm: "stop",
};

/** The other names of a command. */
export function aliasesOf(name: string): readonly string[] {
  return Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name);
}
