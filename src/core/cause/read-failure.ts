import { lineOf } from "../reaction/template.ts";
import type { Refusal } from "./find-refusal.ts";

/** What the log of a red check says about the failure; what it does not say is absent. */
export interface FailureDetails {
  /** The step of a forge's job that failed. */
  readonly step?: string;
  /** Names of the failed tests, at most 20. */
  readonly tests?: readonly string[];
  /** It ran in a sandbox. */
  readonly isSandboxed?: true;
  /** What its sandbox refused, which its failure comes from. */
  readonly refused?: Refusal;
}

const MAX_TESTS = 20;
const MAX_NAME = 200;

/** Reads the step and the failed tests from a log. */
export function readFailure(log: string): FailureDetails {
  const step = /^Failed step: (.+)$/m.exec(log)?.[1];
  const tests = failedTests(log);
  return { ...(step === undefined ? {} : { step: lineOf(step) }), ...(tests.length === 0 ? {} : { tests }) };
}

// The first format that finds something is the right one: a runner within a runner repeats the same names.
function failedTests(log: string): readonly string[] {
  for (const find of FORMATS) {
    const names = new Set(find(log).map((name) => lineOf(name).slice(0, MAX_NAME)));
    names.delete("");
    if (names.size > 0) return [...names].slice(0, MAX_TESTS);
  }
  return [];
}

type Format = (log: string) => readonly string[];

// pytest: `FAILED tests/test_cart.py::test_total - assert 1 == 2`
const pytest = byLine(/^(?:FAILED|ERROR) (\S+\.py(?:::.+?)?)(?: - .*)?$/gm);
// go test: `    --- FAIL: TestCart/empty (0.00s)`; a test with a failed part fails too, and says nothing more
const goTest: Format = (log) => {
  const names = byLine(/^\s*--- FAIL: (.+?) \(\d[\d.]*s\)$/gm)(log);
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));
};
// cargo: `test cart::tests::total ... FAILED`
const cargo = byLine(/^test (\S.*?) \.\.\. FAILED$/gm);
// vitest: ` FAIL  src/cart.test.ts > total > is the sum`, also with a project's name in between
const vitest = byLine(/^\s*FAIL {1,2}(?:\|[^|\n]*\| ?|[\w@/-]+ )?(\S+ > \S.*)$/gm);
// A file that could not be loaded: ` FAIL  src/cart.test.ts [ src/cart.test.ts ]`
const vitestFile = byLine(/^\s*FAIL {1,2}(?:\|[^|\n]*\| ?)?(\S+) \[ \S+ \]$/gm);
// jest: `  ● total › is the sum`
const jest = byLine(/^\s*● (\S.* › \S.*)$/gm);
// TAP: `not ok 3 - is the sum`; what is still to be done, or is skipped, is no failure
const tap: Format = (log) => {
  const names = byLine(/^\s*not ok\b[ \d]*(?:- )?(\S.*)$/gm)(log);
  return names.filter((name) => !/(?:^| )# (?:TODO|SKIP)\b/i.test(name)).map((name) => name.replace(/ # time=.*$/, ""));
};

function junit(log: string): readonly string[] {
  return log.split("<testcase").flatMap((part) => {
    const end = part.indexOf("</testcase>");
    const body = end < 0 ? "" : part.slice(0, end);
    if (!/<(?:failure|error)[\s>/]/.test(body)) return [];
    const [, name] = / name="([^"]*)"/.exec(body) ?? [];
    const [, group] = / classname="([^"]*)"/.exec(body) ?? [];
    return name === undefined ? [] : [readEntities(group === undefined ? name : `${group} ${name}`)];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function readEntities(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? "");
}

function byLine(pattern: RegExp): Format {
  return (log) => [...log.matchAll(pattern)].map(([, name]) => name?.trim() ?? "");
}

const FORMATS: readonly Format[] = [junit, pytest, goTest, cargo, vitest, vitestFile, jest, tap];
