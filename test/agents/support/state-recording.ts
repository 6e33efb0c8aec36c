import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeSignal } from "../../../src/core/lines-protocol.ts";
import type { MomentName } from "./state-table.ts";

/** What led to a moment: a line of the bridge, an answer that it was given, or the end of its process. */
export type Recorded = { readonly moment: MomentName } & (
  | { readonly line: string }
  | { readonly answer: string }
  | { readonly exit: { readonly code: number | null; readonly evidence: string } }
);

const folder = fileURLToPath(new URL("../../fixtures/agents/states/", import.meta.url));

/** The names of what is recorded. */
export function listRecordings(): readonly string[] {
  return readdirSync(folder).map((name) => name.replace(/\.jsonl$/, ""));
}

export function readRecording(name: string): readonly Recorded[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Recorded);
}

/** Collects what leads to each moment of a session. */
export interface Recorder {
  answered(moment: MomentName): void;
  ended(moment: MomentName, run: number, exit: { readonly code: number | null; readonly evidence: string }): void;
  reached(moment: MomentName): void;
  /** Saves it as a fixture, without paths and times of this machine. */
  save(name: string, strange: Readonly<Record<string, string>>): void;
}

/** Records from the folder of a session's runs. */
export function createRecorder(runs: string): Recorder {
  const rows: Recorded[] = [];
  const read = new Map<number, number>();
  const takeRun = (moment: MomentName, run: number): void => {
    const out = join(runs, String(run), "out");
    const lines = (existsSync(out) ? readFileSync(out, "utf8") : "").split("\n").slice(0, -1);
    for (const line of lines.slice(read.get(run) ?? 0)) if (decodeSignal(line) !== null) rows.push({ moment, line });
    read.set(run, lines.length);
  };
  const takeUpTo = (moment: MomentName, last: number): void => {
    for (let run = 1; run <= last; run += 1) takeRun(moment, run);
  };
  return {
    answered: (moment) => void rows.push({ moment, answer: "allow" }),
    ended: (moment, run, exit) => {
      takeUpTo(moment, run);
      rows.push({ moment, exit });
    },
    reached: (moment) => takeUpTo(moment, readdirSync(runs).length),
    save: (name, strange) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.jsonl`), makeNeutral(rows, strange));
    },
  };
}

const NAMED = /\\"id\\":\\"([^"\\]+)\\"/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function makeNeutral(rows: readonly Recorded[], strange: Readonly<Record<string, string>>): string {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const ids = [...new Set([...text.matchAll(NAMED)].map(([, id]) => id ?? ""))];
  const names = ids.map((id, n) => [id, `id-${n + 1}`] as const);
  const replaced = [...names, ...Object.entries(strange)].reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return replaced.replace(TIME, "2030-01-01T00:00:00.000Z");
}
