import { execFile } from "node:child_process";

/** The visible result of the demo. */
export interface SampleLook {
  /** The output of the sample program. */
  readonly picture: string;
  /** How many tests passed on main; null if any failed. */
  readonly tests: number | null;
}

const LIMIT_MS = 60_000;

/** Runs the sample's program and its tests on main. */
export async function lookAtSample(repo: string, options: { readonly color: boolean }): Promise<SampleLook> {
  const picture = await runNode(repo, ["src/main.js", ...(options.color ? ["--color"] : [])]);
  const tests = await runNode(repo, ["--test", "--test-reporter=tap"]);
  const passed = /^# pass (\d+)$/m.exec(tests.out)?.[1];
  return { picture: picture.out.trimEnd(), tests: tests.ok && passed !== undefined ? Number(passed) : null };
}

function runNode(cwd: string, args: readonly string[]): Promise<{ readonly ok: boolean; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, timeout: LIMIT_MS }, (error, stdout) =>
      resolve({ ok: error === null, out: stdout }),
    );
  });
}
