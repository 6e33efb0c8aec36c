/** Does the work of a command line; a failure goes to stderr, with its exit code. */
export async function reportFailure(args: readonly string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Only a failure pays for loading this.
    const { describeFailure } = await import("./failure.ts");
    const { text, exitCode } = describeFailure(error, args);
    process.stderr.write(text);
    process.exitCode = exitCode;
  }
}
