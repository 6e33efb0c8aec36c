import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { Issue } from "../../../ports/tracker.ts";
import { type FileText, FRONT_MATTER_LINE, readBody, splitFile } from "./file-text.ts";
import { normalizeIssueId } from "./id.ts";

export interface ParsedFile {
  readonly issue: Issue;
  readonly file: FileText;
  readonly document: Document;
}

/** Why a file could not be parsed, and on which line. */
export class MalformedIssue extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "MalformedIssue";
    this.line = line;
  }
}

interface Reader {
  readonly document: Document;
  fail(node: unknown, message: string): never;
}

/** Parses an issue from its file's text, tolerant of handwritten files; throws MalformedIssue. */
export function parseIssue(name: string, number: number, text: string): ParsedFile {
  const file = splitFile(text);
  if (file === null) throw new MalformedIssue(1, "the front matter has no closing line ---");
  const lines = new LineCounter();
  const document = parseDocument(file.frontMatter ?? "", { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line + FRONT_MATTER_LINE - 1;
  const error = document.errors[0];
  if (error !== undefined) throw new MalformedIssue(lineAt(error.pos[0]), error.message.split("\n")[0] ?? "");
  const reader: Reader = {
    document,
    fail: (node, message) => {
      throw new MalformedIssue(lineAt((node as Node | null)?.range?.[0] ?? 0), message);
    },
  };
  if (document.contents !== null && !isMap(document.contents) && !isEmptyScalar(document.contents)) {
    reader.fail(document.contents, "the front matter is not a list of keys and values");
  }
  const body = readBody(file);
  const issue: Issue = {
    id: String(number),
    title: readText(reader, "title") ?? titleOfBody(body) ?? titleOfName(name),
    body,
    state: readState(reader),
    labels: readList(reader, "labels"),
    priority: readText(reader, "priority"),
    dependsOn: readList(reader, "dependsOn").map(normalizeIssueId),
    assignee: readText(reader, "assignee"),
    url: null,
  };
  return { issue, file, document };
}

function isEmptyScalar(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function readNode(reader: Reader, key: string): unknown {
  const node = isMap(reader.document.contents) ? reader.document.contents.get(key, true) : null;
  return isAlias(node) ? node.resolve(reader.document) : node;
}

// As written: `priority: 1.10` is "1.10", `title: 007` is "007".
function scalarText(node: unknown): string | null {
  if (!isScalar(node) || node.value === null) return null;
  return (typeof node.value === "string" ? node.value : (node.source ?? String(node.value))).trim();
}

function readText(reader: Reader, key: string): string | null {
  const node = readNode(reader, key);
  if (node === undefined || node === null || isScalar(node)) {
    const text = scalarText(node)?.replace(/\s*\n\s*/g, " ") ?? "";
    return text === "" ? null : text;
  }
  return reader.fail(node, `${key} is not a text`);
}

function readList(reader: Reader, key: string): readonly string[] {
  const node = readNode(reader, key);
  if (node === undefined || node === null) return [];
  const items = isSeq(node) ? node.items : isScalar(node) ? (scalarText(node) ?? "").split(",") : null;
  if (items === null) return reader.fail(node, `${key} is not a list`);
  const texts = items.map((item) => {
    const text = typeof item === "string" ? item.trim() : scalarText(item);
    return text ?? reader.fail(item ?? node, `${key} holds something that is not a text`);
  });
  return [...new Set(texts.filter((text) => text !== ""))];
}

function readState(reader: Reader): Issue["state"] {
  const written = readText(reader, "state")?.toLowerCase() ?? "open";
  if (written === "open" || written === "todo") return "open";
  if (written === "closed" || written === "done") return "closed";
  return reader.fail(readNode(reader, "state"), `the state "${written}" is neither open nor closed`);
}

function titleOfBody(body: string): string | null {
  const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\r?$/m.exec(body)?.[1];
  return heading === undefined || heading.trim() === "" ? null : heading.trim();
}

function titleOfName(name: string): string {
  const words = name
    .replace(/^\d+[-_ .]?/, "")
    .replace(/\.?md$/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return words === "" ? name : words;
}
