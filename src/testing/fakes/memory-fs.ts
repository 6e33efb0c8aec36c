import { basename, dirname, join, normalize } from "node:path";
import type { FileStat, HostFs } from "../../ports/host.ts";

type Node =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number; readonly mtimeMs: number }
  | { readonly kind: "directory"; readonly mode: number; readonly mtimeMs: number }
  | { readonly kind: "symlink"; readonly target: string; readonly mode: number; readonly mtimeMs: number };

interface Watcher {
  readonly folder: string;
  readonly onChange: (name: string | null) => void;
}

/**
 * Files without a disk that pass the contract of a host's files. A watcher is called before the write it is about
 * returns, so nothing is pending once everything awaited is done.
 */
export function createMemoryFs(now: () => number = () => 0): HostFs {
  const nodes = new Map<string, Node>([["/", { kind: "directory", mode: 0o755, mtimeMs: 0 }]]);
  const watchers = new Set<Watcher>();
  const changed = (path: string): void => {
    const folder = dirname(path);
    for (const watcher of [...watchers]) if (watcher.folder === folder) watcher.onChange(basename(path));
  };
  const requireParent = (path: string): void => {
    if (nodes.get(dirname(path))?.kind !== "directory") throw enoent(path);
  };
  const put = (path: string, node: Node): void => {
    requireParent(path);
    nodes.set(path, node);
    changed(path);
  };
  const below = (path: string): [string, Node][] =>
    [...nodes].filter(([name]) => name === path || name.startsWith(path === "/" ? "/" : `${path}/`));
  const fileAt = (path: string): Extract<Node, { readonly kind: "file" }> | null => {
    const node = nodes.get(normalize(path));
    return node?.kind === "file" ? node : null;
  };
  const makeParents = (path: string, mode: number): void => {
    if (nodes.has(path)) return;
    makeParents(dirname(path), mode);
    nodes.set(path, { kind: "directory", mode, mtimeMs: now() });
    changed(path);
  };
  const copyTree = (from: string, to: string, isMove: boolean): void => {
    const moved = below(normalize(from));
    if (moved.length === 0) throw enoent(from);
    requireParent(normalize(to));
    for (const [name, node] of moved) {
      if (isMove) nodes.delete(name);
      nodes.set(normalize(to) + name.slice(normalize(from).length), node);
    }
    if (isMove) changed(normalize(from));
    changed(normalize(to));
  };
  return {
    readText: async (path) => {
      const file = fileAt(path);
      return file === null ? null : new TextDecoder().decode(file.bytes);
    },
    readBytes: async (path, from, max) => fileAt(path)?.bytes.slice(from, from + max) ?? null,
    readEnd: async (path, max) => {
      const bytes = fileAt(path)?.bytes;
      return bytes?.slice(Math.max(0, bytes.length - max)) ?? null;
    },
    readPlain: async (path, max) => {
      const file = fileAt(path);
      return file === null || file.bytes.length > max ? null : { bytes: file.bytes, mtimeMs: file.mtimeMs };
    },
    readInto: async (path, from, into) => {
      const bytes = fileAt(path)?.bytes.slice(from, from + into.length) ?? null;
      if (bytes !== null) into.set(bytes);
      return bytes?.length ?? null;
    },
    writeText: async (path, text, options) => {
      const bytes = new TextEncoder().encode(text);
      put(normalize(path), { kind: "file", bytes, mode: options?.mode ?? 0o644, mtimeMs: now() });
    },
    append: async (path, bytes) => {
      const before = fileAt(path);
      const joined = Buffer.concat([before?.bytes ?? new Uint8Array(), bytes]);
      put(normalize(path), { kind: "file", bytes: joined, mode: before?.mode ?? 0o600, mtimeMs: now() });
    },
    freeStart: async (path, bytes) => {
      const file = fileAt(path);
      if (file === null) return false;
      nodes.set(normalize(path), { ...file, bytes: Buffer.concat([Buffer.alloc(bytes), file.bytes.subarray(bytes)]) });
      return true;
    },
    // The fake runtime sees each append by itself.
    ring: async () => undefined,
    makeDir: async (path, options) => {
      const folder = normalize(path);
      if (options?.exclusive === true && nodes.has(folder)) return false;
      makeParents(folder, options?.mode ?? 0o755);
      return true;
    },
    remove: async (path) => {
      const gone = below(normalize(path));
      for (const [name] of gone) nodes.delete(name);
      if (gone.length > 0) changed(normalize(path));
    },
    rename: async (from, to) => copyTree(from, to, true),
    moveNew: async (from, to) => {
      if (nodes.has(normalize(to))) return false;
      copyTree(from, to, true);
      return true;
    },
    list: async (path) => {
      const folder = normalize(path);
      return [...nodes.keys()]
        .filter((name) => name !== folder && dirname(name) === folder)
        .map((name) => name.slice(join(folder, "x").length - 1))
        .sort();
    },
    stat: async (path) => {
      const node = nodes.get(normalize(path));
      return node === undefined ? null : toStat(node);
    },
    realPath: async (path) => (nodes.has(normalize(path)) ? normalize(path) : null),
    makeLink: async (target, path) => put(normalize(path), { kind: "symlink", target, mode: 0o777, mtimeMs: now() }),
    readLink: async (path) => {
      const node = nodes.get(normalize(path));
      return node?.kind === "symlink" ? node.target : null;
    },
    copy: async (from, to) => {
      if (nodes.has(normalize(to))) throw Object.assign(new Error(`EEXIST: ${to}`), { code: "EEXIST" });
      copyTree(from, to, false);
    },
    cloneTree: async () => "impossible",
    watch: (path, onChange) => {
      const watcher = { folder: normalize(path), onChange };
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

function toStat(node: Node): FileStat {
  const size = node.kind === "file" ? node.bytes.length : 0;
  return { kind: node.kind, size, mtimeMs: node.mtimeMs, mode: node.mode };
}

function enoent(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory: ${path}`), { code: "ENOENT" });
}
