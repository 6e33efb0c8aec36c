import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const MAX_FILES = 4;

/** The files of each question, in order. */
const QUESTIONS = read("docs/newcomer.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes("`"))
  .map((line) => {
    const [, question = "", files = ""] = line.split("|").map((cell) => cell.trim());
    return { question, files: [...files.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? "") };
  });

/** Does a file name another, or import it? */
function leadsTo(path: string, target: string): boolean {
  const text = read(path);
  if (text.includes(target)) return true;
  const imported = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, from]) => from ?? "");
  return imported.some((from) => normalize(join(dirname(path), from)) === target);
}

it("docs/newcomer.md has ten questions", () => {
  expect(QUESTIONS).toHaveLength(10);
});

describe.each(QUESTIONS)("$question", ({ files }) => {
  it("is answered by at most four files that exist", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(MAX_FILES);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("can be followed from ARCHITECTURE.md step by step", () => {
    const trail = ["ARCHITECTURE.md", ...files];
    const lost = files.filter((path, index) => !trail.slice(0, index + 1).some((earlier) => leadsTo(earlier, path)));
    expect(lost).toEqual([]);
  });
});
