import { AoError } from "../core/errors.ts";
import { writeOutHidden } from "../core/hidden-characters.ts";
import { toProblem } from "../protocol/problem.ts";
import { readVersion } from "./version.ts";
import { style } from "./views/style.ts";

/** A failure for a person, or with --json for a script, and its exit code. */
export function describeFailure(
  error: unknown,
  args: readonly string[],
): { readonly text: string; readonly exitCode: 1 | 2 } {
  const known = error instanceof AoError ? error : describeBug(error, args);
  const text = asksForJson(args) ? `${JSON.stringify(toProblem(known))}\n` : formatError(known.message, known.hint);
  return { text, exitCode: known.code === "usage" ? 2 : 1 };
}

function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

/** `error: what` and, if any, `hint: what to do`. */
export function formatError(message: string, hint: string | null | undefined): string {
  const paint = style(process.stderr);
  const hintLine =
    hint === undefined || hint === null || hint === "" ? "" : `${paint.cyan("hint:")} ${writeOutHidden(hint)}\n`;
  return `${paint.red("error:")} ${writeOutHidden(message)}\n${hintLine}`;
}

/** Enough to find a bug, without a stack trace and without the user's arguments. */
function describeBug(error: unknown, args: readonly string[]): AoError {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const place = error instanceof Error ? /dist\/([^\s()'":]+:\d+|[^\s()'":]+)/.exec(error.stack ?? "")?.[1] : undefined;
  const about = [
    `ao ${readVersion()}`,
    `node ${process.version}`,
    `${process.platform} ${process.arch}`,
    `command ${args[0] ?? ""}`,
    ...(place === undefined ? [] : [`at ${place}`]),
  ];
  const hint = `This is a bug in ao; please report it with this line: ${about.join(", ")}`;
  return new AoError({ code: "internal", message, hint, cause: error });
}
