import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { PageFile, PageFiles } from "../server/page-files.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Fonts are already compressed. */
const SHRINKS = new Set([".css", ".html", ".js", ".svg"]);

/** The built dashboard from its folder, read when a browser first requests it. */
export function readPageFiles(folder: string): PageFiles {
  let files: ReadonlyMap<string, () => PageFile> | null = null;
  const all = (): ReadonlyMap<string, () => PageFile> => {
    files ??= listFiles(folder);
    return files;
  };
  return {
    read: (path) => all().get(path)?.() ?? null,
    shell: () => all().get("/index.html")?.() ?? null,
  };
}

function listFiles(folder: string): ReadonlyMap<string, () => PageFile> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(folder.length);
      let kept: PageFile | null = null;
      const read = (): PageFile => {
        kept ??= readOne(file, path);
        return kept;
      };
      return [path, read] as const;
    }),
  );
}

function readOne(file: string, path: string): PageFile {
  const body = new Uint8Array(readFileSync(file));
  const extension = extname(file);
  return {
    body,
    gzip: SHRINKS.has(extension) ? new Uint8Array(gzipSync(body)) : null,
    type: TYPES[extension] ?? "application/octet-stream",
    isImmutable: path.startsWith("/assets/"),
  };
}
