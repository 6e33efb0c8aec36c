import { AoError } from "../core/errors.ts";
import { style } from "./style.ts";
import { readVersion } from "./version.ts";

/** What a failure looks like to a person, and the exit code that tells it to a script. */
export function describeFailure(
  error: unknown,
  args: readonly string[],
): { readonly text: string; readonly exitCode: 1 | 2 } {
  if (!(error instanceof AoError)) return { text: reportBug(error, args), exitCode: 1 };
  return { text: formatError(error.message, error.hint), exitCode: error.code === "usage" ? 2 : 1 };
}

/** `error: what` and, when there is one, `hint: what to do`. */
export function formatError(message: string, hint: string | null | undefined): string {
  const paint = style(process.stderr);
  const hintLine = hint === undefined || hint === null || hint === "" ? "" : `${paint.cyan("hint:")} ${hint}\n`;
  return `${paint.red("error:")} ${message}\n${hintLine}`;
}

/** Enough to find a bug by, without a stack trace and without what the user wrote after the command's name. */
function reportBug(error: unknown, args: readonly string[]): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const place = error instanceof Error ? /dist\/([^\s()'":]+:\d+|[^\s()'":]+)/.exec(error.stack ?? "")?.[1] : undefined;
  const about = [
    `ao ${readVersion()}`,
    `node ${process.version}`,
    `${process.platform} ${process.arch}`,
    `command ${args[0] ?? ""}`,
    ...(place === undefined ? [] : [`at ${place}`]),
  ];
  return formatError(message, `This is a bug in ao; please report it with this line: ${about.join(", ")}`);
}
