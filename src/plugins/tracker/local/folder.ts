import { join } from "node:path";
import { PluginError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import { numberOfFile } from "./id.ts";
import { MalformedIssue, type ParsedFile, parseIssue } from "./parse.ts";

const MAX_BYTES = 1024 * 1024;

export interface FoundIssue {
  readonly name: string;
  readonly number: number;
  readonly text: string;
  readonly parsed: ParsedFile;
}

interface NumberedFile {
  readonly name: string;
  readonly number: number;
}

/** Every issue by number, and one sentence, with file and line, for each unreadable file. */
export async function readFolder(
  host: Host,
  folder: string,
): Promise<{ readonly found: readonly FoundIssue[]; readonly problems: readonly string[] }> {
  const names = (await host.fs.list(folder)).filter(isIssueFile);
  const problems = names.filter((name) => numberOfFile(name) === null).map(unnumbered);
  const found: FoundIssue[] = [];
  let before: NumberedFile | null = null;
  for (const file of numberedFiles(names)) {
    const answer: FoundIssue | string | null =
      before?.number === file.number ? duplicate(file.name, before.name) : await readIssue(host, folder, file);
    if (typeof answer === "string") problems.push(answer);
    else if (answer !== null) found.push(answer);
    if (before?.number !== file.number) before = file;
  }
  return { found, problems };
}

/** One issue by its normalized id; null: not found. An existing but unreadable file is an error. */
export async function readOne(host: Host, folder: string, id: string): Promise<FoundIssue | null> {
  const file = numberedFiles(await host.fs.list(folder)).find((one) => String(one.number) === id);
  if (file === undefined) return null;
  const answer = await readIssue(host, folder, file);
  if (typeof answer !== "string") return answer;
  throw new PluginError({
    plugin: "local",
    category: "bad-response",
    message: `Issue ${id} cannot be read: ${answer}`,
    hint: "Correct the file by hand.",
  });
}

/** Files that are issues according to their name, by number. */
export function numberedFiles(names: readonly string[]): readonly NumberedFile[] {
  return names
    .filter(isIssueFile)
    .flatMap((name) => {
      const number = numberOfFile(name);
      return number === null ? [] : [{ name, number }];
    })
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
}

function isIssueFile(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".") && name.toLowerCase() !== "readme.md";
}

async function readIssue(host: Host, folder: string, file: NumberedFile): Promise<FoundIssue | string | null> {
  const path = join(folder, file.name);
  const stat = await host.fs.stat(path);
  if (stat === null) return null;
  // A link could expose any file of this machine to an agent.
  if (stat.kind !== "file") return `${file.name}: it is not a plain file.`;
  if (stat.size > MAX_BYTES) return `${file.name}: it is larger than 1 MiB.`;
  const text = await host.fs.readText(path);
  if (text === null) return null;
  try {
    return { ...file, text, parsed: parseIssue(file.name, file.number, text) };
  } catch (error) {
    if (error instanceof MalformedIssue) return `${file.name}:${error.line}: ${error.message}.`;
    throw error;
  }
}

function unnumbered(name: string): string {
  return `${name}: its name does not begin with a number, as in 42-${name}.`;
}

function duplicate(name: string, first: string): string {
  return `${name}: its number is taken by ${first}.`;
}
