import { GlobFault } from "./glob-fault.ts";

/** A class such as `[a-z]`, and where it ends. */
export interface GlobClass {
  readonly end: number;
  test(char: string): boolean;
  /** What it also matches: a class without ranges is a common part of names, such as `[id]`. null: nothing else. */
  readonly literal: string | null;
}

const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[a-zA-Z0-9]/,
  alpha: /[a-zA-Z]/,
  ascii: /[\x00-\x7f]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\r\n\v\f]/,
  upper: /[A-Z]/,
  word: /[A-Za-z0-9_]/,
  xdigit: /[A-Fa-f0-9]/,
};
const SPECIAL = /[-*+?.^${}(|)[\]\\]/;

type Test = (char: string) => boolean;

/** Reads the class that starts at `[`; a `]` comes after it. */
export function parseClass(glob: string, start: number): GlobClass {
  const isNegated = glob[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  const tests: Test[] = [];
  let at = first;
  while (at < glob.length && (glob[at] !== "]" || at === first)) {
    const { end, test } = parseMember(glob, at);
    tests.push(test);
    at = end;
  }
  if (at >= glob.length) throw new GlobFault("`[` is not closed; write `\\[` for itself");
  const body = glob.slice(start + 1, at);
  const isMember = (char: string): boolean => tests.some((test) => test(char));
  return {
    end: at + 1,
    test: isNegated ? (char) => char !== "/" && !isMember(char) : isMember,
    literal: SPECIAL.test(body) ? null : `[${body}]`,
  };
}

function parseMember(glob: string, at: number): { readonly end: number; readonly test: Test } {
  const name = /^\[:(\w+):\]/.exec(glob.slice(at, at + 12));
  const named = NAMED[name?.[1] ?? ""];
  if (name !== null && named !== undefined) return { end: at + name[0].length, test: (char) => named.test(char) };
  const from = parseChar(glob, at);
  const isRange = glob[from.end] === "-" && glob[from.end + 1] !== "]" && glob[from.end + 1] !== undefined;
  if (!isRange) return { end: from.end, test: (char) => char === from.char };
  const to = parseChar(glob, from.end + 1);
  if (to.char < from.char) throw new GlobFault(`\`${from.char}-${to.char}\` is the wrong way round`);
  return { end: to.end, test: (char) => char >= from.char && char <= to.char };
}

function parseChar(glob: string, at: number): { readonly end: number; readonly char: string } {
  const char = glob[at] ?? "";
  if (char !== "\\") return { end: at + 1, char };
  const next = glob[at + 1] ?? "";
  if (/[\w]/.test(next) || next === "") throw new GlobFault("within `[]`, `\\` goes only before special characters");
  return { end: at + 2, char: next };
}
