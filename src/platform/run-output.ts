import { join } from "node:path";
import type { HostFs } from "../ports/host.ts";
import { MAX_OUTPUT_PAGE, type OutputFile, type OutputSize, type RunOutput } from "../ports/run-output.ts";

/** The output of runs on this machine: the files in their folders. */
export function createRunOutput(fs: Pick<HostFs, "readBytes" | "stat">, runDir: (run: number) => string): RunOutput {
  const size = async (run: number, file: OutputFile): Promise<OutputSize | null> => {
    const found = await fs.stat(join(runDir(run), file));
    // Anything else in its place, such as a link, is not what the run printed.
    return found?.kind === "file" ? { bytes: found.size, changedAt: found.mtimeMs } : null;
  };
  return {
    size,
    read: async (run, file, { from, max }) => {
      if ((await size(run, file)) === null) return new Uint8Array();
      const bytes = await fs.readBytes(join(runDir(run), file), from, Math.min(max, MAX_OUTPUT_PAGE));
      return bytes ?? new Uint8Array();
    },
  };
}
