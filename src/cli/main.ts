#!/usr/bin/env node
import { readVersion } from "./version.ts";

const args = process.argv.slice(2);
const first = args[0];

// The commonest question is answered before anything else is loaded.
if (args.length === 1 && (first === "--version" || first === "-V" || first === "version")) {
  process.stdout.write(`${readVersion()}\n`);
} else {
  void main();
}

async function main(): Promise<void> {
  // A reader that went away (`ao logs s | head`) is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  try {
    const { run } = await import("./run.ts");
    await run(args);
  } catch (error) {
    const { describeFailure } = await import("./failure.ts");
    const { text, exitCode } = describeFailure(error, args);
    process.stderr.write(text);
    process.exitCode = exitCode;
  }
}
