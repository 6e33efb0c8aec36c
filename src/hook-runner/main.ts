import { text } from "node:stream/consumers";
import { functionName, type ModuleCall } from "../core/hook/hook.ts";
import { describeError } from "./describe-error.ts";
import { findFunction } from "./find-function.ts";
import { loadModule } from "./load-module.ts";
import { readVerdict } from "./read-verdict.ts";

// Calls one function of a module: exit code 0 means that it agreed, anything else that it did not. Standard output is for the reason
// alone, so what the module prints goes to standard error.

/** Longest reason; the daemon keeps no more. */
const MAX_REASON = 500;

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** The verdict; null: there is none yet. */
let verdictCode: 0 | 1 | null = null;

function end(code: 0 | 1, reason = ""): void {
  if (verdictCode !== null) return;
  verdictCode = code;
  const short = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 1)}…` : reason;
  // Nothing printed may be lost, and a timer or connection that the module left open must not keep it running.
  process.stderr.write("", () => write(short, () => process.exit(code)));
}

// A module that ends the process cannot choose the exit code: without a verdict it has not agreed.
function keepVerdict(name: string): void {
  process.on("exit", (code) => {
    process.exitCode = verdictCode ?? 1;
    if (verdictCode !== null) return;
    process.stderr.write(`\nthe process ended with exit code ${code} before ${name} returned\n`);
  });
}

async function main(): Promise<void> {
  const { context, ...ref } = JSON.parse(await text(process.stdin)) as ModuleCall;
  const name = functionName(context.point);
  const fail = (fault: string): void => end(1, `${ref.module}${fault}`);
  keepVerdict(name);
  process.on("uncaughtException", (error) => fail(`: ${describeError(error)}`));
  const exports = await loadModule(ref);
  if (typeof exports === "string") return fail(` ${exports}`);
  const hook = findFunction(exports, context.point);
  if (typeof hook === "string") return fail(` ${hook}`);
  const verdict = readVerdict(await hook(context));
  if (verdict.isAgreed) return end(0);
  if ("fault" in verdict) return fail(`: ${name} ${verdict.fault}`);
  if (verdict.reason !== null) return end(1, verdict.reason);
  // What the module printed says more than this, and comes with it.
  process.stderr.write(`\n${name} returned false\n`);
  end(1);
}

main().catch((error: unknown) => end(1, describeError(error)));
