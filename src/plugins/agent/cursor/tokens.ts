/** The program's own rules for an entry of the policy; null when it has none that means the same. */
export function toTokens(entry: string): readonly string[] | null {
  if (/^(Shell|Read|Write|WebFetch|Mcp)\(.+\)$/s.test(entry)) return [entry];
  // Its paths are absolute, or relative to the workspace.
  if (/^\.?\//.test(entry)) {
    const path = entry.replace(/^\.\//, "");
    return [`Read(${path})`, `Write(${path})`];
  }
  // A rule for commands names the program alone.
  const program = /^([\w.+-]+)( \*)?$/.exec(entry)?.[1];
  return program === undefined ? null : [`Shell(${program})`];
}
