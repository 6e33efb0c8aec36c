import { dirname } from "node:path";
import type { Host } from "../../ports/host.ts";
import { findProgram } from "../../providers/bridged/program.ts";

/** How programs are found, and the agent's own one. */
export interface ProgramSearch {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Its name or path as configured or known; null: unknown. */
  readonly program: string | null;
}

/** The folders in which a session's programs are: those of its PATH, and where the agent's program really is. */
export async function programFolders(
  host: Host,
  { environment, cwd, program }: ProgramSearch,
): Promise<readonly string[]> {
  const folders = (environment["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const found = program === null ? null : await findProgram(host, program, { cwd, environment });
  const real = found === null ? null : await host.fs.realPath(found);
  return [...folders, ...(real === null ? [] : [packageOf(real)])];
}

// A program from npm needs the packages around its own.
function packageOf(program: string): string {
  const at = program.indexOf("/node_modules/");
  return at === -1 ? dirname(program) : program.slice(0, at);
}
