import { join } from "node:path";
import type { HostFs } from "../ports/host.ts";
import { MAX_OUTPUT_PAGE, type OutputFile, type OutputSize, type RunOutput } from "../ports/run-output.ts";

/** The output of runs on this machine: the files in their folders. */
export function createRunOutput(
  fs: Pick<HostFs, "readBytes" | "readInto" | "stat">,
  runDir: (run: number) => string,
): RunOutput {
  const size = async (run: number, file: OutputFile): Promise<OutputSize | null> => {
    const found = await fs.stat(join(runDir(run), file));
    // Anything else in its place, such as a link, is not what the run printed.
    return found?.kind === "file" ? { bytes: found.size, changedAt: found.mtimeMs } : null;
  };
  const known = new Set<string>();
  return {
    size,
    read: async (run, file, { from, max, into }) => {
      const name = `${run}/${file}`;
      if (!known.has(name) && (await size(run, file)) === null) return new Uint8Array();
      known.add(name);
      const path = join(runDir(run), file);
      const length = Math.min(max, MAX_OUTPUT_PAGE);
      if (into === undefined) return (await fs.readBytes(path, from, length)) ?? new Uint8Array();
      const page = into.subarray(0, length);
      return page.subarray(0, (await fs.readInto(path, from, page)) ?? 0);
    },
  };
}
