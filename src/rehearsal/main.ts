import { AoError } from "../core/errors.ts";
import { readScript } from "./read-script.ts";
import { rehearse } from "./rehearse.ts";

const USAGE = "Usage: node main.js [--check] SCRIPT.yaml\n";

const args = process.argv.slice(2);
const isCheck = args[0] === "--check";
const [script, ...more] = isCheck ? args.slice(1) : args;

// Who cannot be heard any more need not go on.
process.stdout.on("error", () => process.exit(1));
process.exitCode = await run().catch(tell);

async function run(): Promise<number> {
  if (script === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  if (isCheck) await readScript(script);
  else {
    const print = (text: string): void => void process.stdout.write(text);
    await rehearse({ script, cwd: process.cwd(), env: process.env, input: process.stdin, print });
  }
  return 0;
}

function tell(error: unknown): number {
  if (!(error instanceof AoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}
