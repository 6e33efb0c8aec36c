import { existsSync, readFileSync } from "node:fs";
import { appendLine } from "../../platform/append-line.ts";
import type { HomePaths } from "../../protocol/home.ts";

/** About ten thousand deliveries, in this file and in the one before it. */
const MAX_BYTES = 1024 * 1024;

interface Taken {
  readonly scm: string;
  readonly id: string;
  readonly at: number;
}

/** The processed deliveries, so that none is processed twice, even by the next daemon. */
export interface Deliveries {
  has(scm: string, id: string): boolean;
  add(taken: Taken): void;
  /** When a forge's last delivery arrived; null: never. */
  lastAt(scm: string): number | null;
}

/** Opens the memory; ignores a line that a crash cut off. */
export function openDeliveries({ deliveries: file }: Pick<HomePaths, "deliveries">): Deliveries {
  let recent = new Set<string>();
  let older = new Set<string>();
  const last = new Map<string, number>();
  const keep = ({ scm, id, at }: Taken): void => {
    recent.add(`${scm} ${id}`);
    last.set(scm, Math.max(at, last.get(scm) ?? 0));
  };
  const rotate = (): void => {
    older = recent;
    recent = new Set();
  };
  for (const taken of readTaken(`${file}.1`)) keep(taken);
  rotate();
  for (const taken of readTaken(file)) keep(taken);
  return {
    has: (scm, id) => recent.has(`${scm} ${id}`) || older.has(`${scm} ${id}`),
    lastAt: (scm) => last.get(scm) ?? null,
    add: (taken) => {
      try {
        if (appendLine(file, JSON.stringify(taken), { maxBytes: MAX_BYTES })) rotate();
      } catch {
        // A full disk must not keep a pull request from being read; at worst it is read twice.
      }
      keep(taken);
    },
  };
}

function readTaken(file: string): readonly Taken[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").flatMap(parseTaken);
}

function parseTaken(line: string): readonly Taken[] {
  try {
    const { scm, id, at } = JSON.parse(line) as Partial<Taken>;
    return typeof scm === "string" && typeof id === "string" && typeof at === "number" ? [{ scm, id, at }] : [];
  } catch {
    return [];
  }
}
