import { readFile, stat } from "node:fs/promises";
import { parse } from "yaml";
import { AoError } from "../core/errors.ts";
import { Script } from "./script.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_LISTED = 10;

/** Reads a script file; reports mistakes with their places. */
export async function readScript(path: string): Promise<Script> {
  const text = await readText(path).catch((error: unknown) => {
    throw invalid(path, [(error as Error).message], error);
  });
  return parseScript(text, path);
}

/** Parses a script's text. */
export function parseScript(text: string, path: string): Script {
  const parsed = Script.safeParse(parseYaml(text, path));
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map((issue) => `${issue.path.join(".") || "the script"}: ${issue.message}`);
  throw invalid(path, mistakes, parsed.error);
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, more than ${MAX_BYTES}`);
  return readFile(path, "utf8");
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw invalid(path, [(error as Error).message.split("\n")[0] ?? ""], error);
  }
}

function invalid(path: string, mistakes: readonly string[], cause: unknown): AoError {
  const listed = mistakes.slice(0, MAX_LISTED).join("; ");
  const more = mistakes.length > MAX_LISTED ? ` (and ${mistakes.length - MAX_LISTED} more)` : "";
  return new AoError({
    code: "config-invalid",
    message: `The script ${path} cannot be played: ${listed}${more}`,
    hint: "docs/plugins/agent/rehearsal.md has a complete example.",
    cause,
  });
}
