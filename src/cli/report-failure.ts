/** Runs the work of a command line; reports a failure on stderr, with its exit code. */
export async function reportFailure(args: readonly string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Loaded only after a failure.
    const { describeFailure } = await import("./failure.ts");
    const { text, exitCode } = describeFailure(error, args);
    process.stderr.write(text);
    process.exitCode = exitCode;
  }
}
