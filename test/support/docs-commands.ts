import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A command line that a page tells people to type. */
export interface DocsLine {
  /** `docs/user/cost.md:6`. */
  readonly at: string;
  readonly text: string;
  /** In a block to copy, or in the middle of a sentence. */
  readonly kind: "block" | "inline";
}

/** The pages below a folder of the repository. */
export function listPages(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? listPages(path) : entry.name.endsWith(".md") ? [path] : [];
    })
    .sort();
}

/** The lines of a page's `sh` blocks, and anything else that begins with `ao`. */
export function readLines(page: string, text = readFileSync(join(root, page), "utf8")): readonly DocsLine[] {
  let block: string | null = null;
  return text.split("\n").flatMap((line, index): readonly DocsLine[] => {
    const at = `${page}:${index + 1}`;
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence !== null) {
      block = block === null ? (fence[1] ?? "") : null;
      return [];
    }
    if (block === "sh") {
      const typed = line.replace(/\s+#\s.*$/, "").trim();
      return typed === "" ? [] : [{ at, text: typed, kind: "block" }];
    }
    if (block !== null) return [];
    const spans = [...line.matchAll(/(`+)(.+?)\1/g)].map(([, , span]) => (span ?? "").trim());
    return spans.filter((span) => /^ao [a-z]/.test(span)).map((span) => ({ at, text: span, kind: "inline" }));
  });
}

/** The calls of `ao` in a shell's command line, as argument lists; also those in pipes and in `$(...)`. */
export function findCalls(line: string): readonly (readonly string[])[] {
  const { commands, inner } = splitCommands(line);
  const own = commands.flatMap((words) => {
    const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    return words[first] === "ao" ? [words.slice(first + 1)] : [];
  });
  return [...own, ...inner.flatMap(findCalls)];
}

interface Split {
  readonly commands: readonly (readonly string[])[];
  /** The content of `$(...)`. */
  readonly inner: readonly string[];
}

// Enough of a shell's grammar for what documentation shows: quotes, substitutions, pipes, lists and redirections.
function splitCommands(line: string): Split {
  const pattern = /\s+|&&|\|\||[|;&]|[<>]\s*\S+|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'|;&<>\\])+)/g;
  const parts: string[][] = [[]];
  for (const [token, word] of line.matchAll(pattern)) {
    if (word !== undefined) parts.at(-1)?.push(unquote(word));
    else if (/^(?:&&|\|\||[|;&])$/.test(token)) parts.push([]);
  }
  const inner = [...line.matchAll(/\$\(([^()]*)\)/g)].map(([, text]) => text ?? "");
  return { commands: parts.filter((words) => words.length > 0), inner };
}

function unquote(word: string): string {
  return word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double?: string, single?: string, plain?: string) =>
    double === undefined ? (single ?? plain ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
  );
}
