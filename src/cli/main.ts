import { reportFailure } from "./report-failure.ts";
import { run } from "./run.ts";
import { guardStdout } from "./write-out.ts";

/** Runs a command line: output on stdout, a failure on stderr with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  guardStdout();
  await reportFailure(args, () => run(args));
}
