import { parseArgs } from "node:util";
import { AoError } from "../core/errors.ts";
import { findScripts } from "./find-script.ts";
import { readScript } from "./read-script.ts";
import { rehearse } from "./rehearse.ts";

const USAGE = "Usage: node main.js [--check] [--pace FACTOR] SCRIPT.yaml|FOLDER\n";

// Without a reader of its output, the program has no purpose.
process.stdout.on("error", () => process.exit(1));
process.exitCode = await run().catch(tell);

async function run(): Promise<number> {
  const asked = readArguments();
  if (asked === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { script, pace } = asked;
  if (asked.check) for (const file of findScripts(script)) await readScript(file);
  else {
    const print = (text: string): void => void process.stdout.write(text);
    await rehearse({ script, pace, cwd: process.cwd(), env: process.env, input: process.stdin, print });
  }
  return 0;
}

/** The parsed command line; null if it is invalid. */
function readArguments(): { readonly script: string; readonly pace: number; readonly check: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      options: { check: { type: "boolean", default: false }, pace: { type: "string", default: "1" } },
      allowPositionals: true,
    });
    const [script, ...more] = positionals;
    const pace = Number(values.pace);
    return script === undefined || more.length > 0 || !(pace >= 0) ? null : { script, pace, check: values.check };
  } catch {
    return null;
  }
}

function tell(error: unknown): number {
  if (!(error instanceof AoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}
