/** The program's own rules for a policy entry; null if it has none with the same meaning. */
export function toTokens(entry: string): readonly string[] | null {
  if (/^(Shell|Read|Write|WebFetch|Mcp)\(.+\)$/s.test(entry)) return [entry];
  // Its paths are absolute, or relative to the workspace.
  if (/^\.?\//.test(entry)) {
    const path = entry.replace(/^\.\//, "");
    return [`Read(${path})`, `Write(${path})`];
  }
  // A rule for commands names only the program.
  const program = /^([\w.+-]+)( \*)?$/.exec(entry)?.[1];
  return program === undefined ? null : [`Shell(${program})`];
}
