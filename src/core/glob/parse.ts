import { GlobFault } from "./glob-fault.ts";
import { parseClass } from "./parse-class.ts";

/** A glob as a tree. Characters are UTF-16 units. */
export type GlobNode =
  | { readonly kind: "char"; readonly test: (char: string) => boolean }
  /** Part of a name; `isFirst`: with its beginning, which is never empty. */
  | { readonly kind: "star"; readonly isFirst: boolean }
  /** all: any path. folders: whole names with their slash, or nothing. below: a slash and folders, or the end of the path. */
  | { readonly kind: "globstar"; readonly of: "all" | "folders" | "below" }
  | { readonly kind: "either"; readonly options: readonly GlobSequence[]; readonly times: "once" | "?" | "*" | "+" }
  /** Anything but one of these; `crosses`: also several names. */
  | { readonly kind: "not"; readonly options: readonly GlobSequence[]; readonly crosses: boolean };

export type GlobSequence = readonly GlobNode[];

export interface Glob {
  readonly sequence: GlobSequence;
  /** It starts with `!`: it means the paths that do not match the rest. */
  readonly isInverted: boolean;
}

export interface GlobSyntax {
  /** Only `*`, `**`, `?` and `\` are special. */
  readonly isPlain?: boolean;
}

const MAX_GLOB = 1_000;
const MAX_DEPTH = 20;
/** What ends a sequence inside of `{}` and `()`. */
const ENDS = { braces: [",", "}"], parens: ["|", ")"], top: [] } as const;

type Inside = keyof typeof ENDS;

/** Parses a glob; throws a GlobFault. */
export function parseGlob(glob: string, syntax: GlobSyntax = {}): Glob {
  if (syntax.isPlain === true) return { sequence: new Parser(glob, true).parse(), isInverted: false };
  if (glob === "" || glob.length > MAX_GLOB || glob.includes("\0")) {
    throw new GlobFault(`a glob has 1 to ${MAX_GLOB} characters`);
  }
  const marks = /^(?:!(?!\())*/.exec(glob)?.[0].length ?? 0;
  const parser = new Parser(glob.slice(marks).replace(/^(?:\.\/)+/, ""), false);
  const sequence = parser.parse();
  if (marks % 2 === 1 && parser.hasExtended)
    throw new GlobFault("`!` goes with no other glob that has `!(`, `*(` or `+(`");
  return { sequence, isInverted: marks % 2 === 1 };
}

class Parser {
  /** It has parts that older versions of `ao` read more narrowly, so that its opposite would mean less than before. */
  hasExtended = false;
  readonly #glob: string;
  readonly #isPlain: boolean;
  #at = 0;
  #depth = 0;

  constructor(glob: string, isPlain: boolean) {
    this.#glob = glob;
    this.#isPlain = isPlain;
  }

  parse(): GlobSequence {
    return this.#sequence("top");
  }

  #sequence(inside: Inside): GlobSequence {
    const nodes: GlobNode[] = [];
    const ends: readonly string[] = ENDS[inside];
    const start = this.#at;
    while (this.#at < this.#glob.length && !ends.includes(this.#peek()))
      nodes.push(...this.#part(inside, start, nodes));
    return nodes;
  }

  #peek(ahead = 0): string {
    return this.#glob[this.#at + ahead] ?? "";
  }

  #part(inside: Inside, start: number, before: GlobNode[]): readonly GlobNode[] {
    const char = this.#peek();
    if (char === "*" && !(this.#peek(1) === "(" && !this.#isPlain)) return this.#stars(inside, start, before);
    if (char === "\\") return this.#escape();
    if (char === "?" && (this.#isPlain || this.#peek(1) !== "("))
      return this.#take(1, [{ kind: "char", test: notSlash }]);
    if (this.#isPlain) return this.#take(1, [is(char)]);
    if ("?*+@!".includes(char) && this.#peek(1) === "(") return [this.#extended(char)];
    return this.#special(char, inside);
  }

  #special(char: string, inside: Inside): readonly GlobNode[] {
    if (char === "(") return [this.#group("once", 1)];
    if (char === "{") return this.#braces();
    if (char === '"') throw new GlobFault('`"` quotes nothing; write `\\"` for itself, and `\\*` for a star');
    if (char === "[" && this.#glob.includes("]", this.#at + 1)) return [this.#bracket()];
    if (char === "|") throw new GlobFault("`|` belongs inside of `(` and `)`");
    if (char === "+" && (inside === "parens" || /[\])}{]/.test(this.#glob[this.#at - 1] ?? ""))) {
      throw new GlobFault("`+` is special only in `+(...)`; write `\\+` for itself");
    }
    return this.#take(1, [is(char)]);
  }

  #take(count: number, nodes: readonly GlobNode[]): readonly GlobNode[] {
    this.#at += count;
    return nodes;
  }

  #escape(): readonly GlobNode[] {
    const next = this.#peek(1);
    return this.#take(2, [is(next === "" ? "\\" : next)]);
  }

  #stars(inside: Inside, start: number, before: GlobNode[]): readonly GlobNode[] {
    let count = this.#countStars();
    const previous = this.#at === start ? "" : (this.#glob[this.#at - 1] ?? "");
    const isFirst = previous === "" || (previous === "/" && this.#glob[this.#at - 2] !== "\\");
    const star: GlobNode = { kind: "star", isFirst: isFirst && count === 1 };
    if (count !== 2 || !(isFirst || this.#isAfterGroup(previous))) return this.#take(count, [star]);
    // Several in a row mean the same as one.
    count += /^(?:\/\*\*(?=\/|$))*/.exec(this.#glob.slice(this.#at + 2))?.[0].length ?? 0;
    const isFolder = this.#peek(count) === "/";
    if (!isFolder && !this.#endsName(count, inside)) return this.#take(count, [star]);
    if (inside !== "top") this.hasExtended = true;
    if (isFirst && isFolder) return this.#folders(count + 1, before);
    this.#at += count;
    return this.#below(previous, before);
  }

  #countStars(): number {
    const count = /^\**/.exec(this.#glob.slice(this.#at))?.[0].length ?? 0;
    if (this.#peek(count) === "(" && !this.#isPlain) throw new GlobFault("`**(` has no meaning; write `*(` or `**/`");
    return count;
  }

  #below(previous: string, before: GlobNode[]): readonly GlobNode[] {
    const all: GlobNode = { kind: "globstar", of: "all" };
    const folder = before.at(-2)?.kind ?? "globstar";
    // A folder's `/**` covers the path of the folder itself, unless its name is a star.
    const isOptional = previous === "/" && before.at(-1)?.kind === "char" && folder !== "star" && folder !== "globstar";
    if (!isOptional || !/^\)*$/.test(this.#glob.slice(this.#at))) return [all];
    before.pop();
    return [{ kind: "either", options: [[is("/"), all], []], times: "once" }];
  }

  #isAfterGroup(previous: string): boolean {
    return previous === ")" && !this.#isPlain;
  }

  /** Is what follows after so many characters the end of a name, or a group, which may have one? */
  #endsName(count: number, inside: Inside): boolean {
    const next = this.#peek(count);
    if (next === "" || (ENDS[inside] as readonly string[]).includes(next)) return true;
    return !this.#isPlain && (next === "{" || next === "(" || (next === "@" && this.#peek(count + 1) === "("));
  }

  #folders(count: number, before: GlobNode[]): readonly GlobNode[] {
    this.#at += count;
    const isBelow = before.length > 1 && before.at(-1)?.kind === "char" && this.#peek() !== "";
    if (!isBelow) return [{ kind: "globstar", of: "folders" }];
    before.pop();
    return [{ kind: "globstar", of: "below" }];
  }

  #extended(mark: string): GlobNode {
    const times = mark === "@" || mark === "!" ? "once" : (mark as "?" | "*" | "+");
    const start = this.#at;
    const depth = this.#depth;
    const group = this.#group(times, 2);
    if (times === "*" || times === "+") this.hasExtended = true;
    if (mark !== "!") return group;
    this.hasExtended = true;
    const body = this.#glob.slice(start + 2, this.#at - 1);
    if (depth > 0 || body.includes("!(")) throw new GlobFault("`!(` works only by itself, not inside of `(` or `{`");
    const crosses = body.length > 1 && body.includes("/");
    if (crosses && this.#at < this.#glob.length) throw new GlobFault("`!(a/b)` works only at the end");
    return { kind: "not", options: group.options, crosses };
  }

  #group(times: "once" | "?" | "*" | "+", skip: number): Extract<GlobNode, { kind: "either" }> {
    this.#at += skip;
    if (this.#peek() === "?") throw new GlobFault("`(?` has no meaning");
    const options = this.#options("parens");
    if (options === null) throw new GlobFault("`(` is not closed; write `\\(` for itself");
    if (/[?+]/.test(this.#peek()) && this.#peek(1) !== "(")
      throw new GlobFault("`?` and `+` go before `(`, not after `)`");
    return { kind: "either", options, times };
  }

  /** Reads up to the closing sign; null: there is none. */
  #options(inside: "braces" | "parens"): readonly GlobSequence[] | null {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new GlobFault(`groups nest more than ${MAX_DEPTH} deep`);
    const [separator, close] = ENDS[inside];
    const options = [this.#sequence(inside)];
    while (this.#peek() === separator) {
      this.#at += 1;
      options.push(this.#sequence(inside));
    }
    this.#depth -= 1;
    if (this.#peek() !== close) return null;
    this.#at += 1;
    return options;
  }

  #braces(): readonly GlobNode[] {
    const start = this.#at;
    const range = /^\{(\w)\.\.(\w)\}/.exec(this.#glob.slice(start));
    if (range !== null) {
      const [from = "", to = ""] = [range[1], range[2]].sort();
      return this.#take(range[0].length, [{ kind: "char", test: (char) => char >= from && char <= to }]);
    }
    this.#at += 1;
    const options = this.#options("braces");
    if (options === null) throw new GlobFault("`{` is not closed; write `\\{` for itself");
    const written = this.#glob.slice(start, this.#at);
    if (written.includes("..")) throw new GlobFault("a range is of single characters, such as {1..5}");
    const [only] = options;
    // Without a comma, braces are themselves.
    if (options.length === 1 && only !== undefined) return [is("{"), ...only, is("}")];
    return [{ kind: "either", options, times: "once" }];
  }

  #bracket(): GlobNode {
    const { end, test, literal } = parseClass(this.#glob, this.#at);
    this.#at = end;
    const matches: GlobNode = { kind: "char", test };
    if (literal === null) return matches;
    return { kind: "either", options: [[matches], literal.split("").map(is)], times: "once" };
  }
}

function is(char: string): GlobNode {
  return { kind: "char", test: (other) => other === char };
}

function notSlash(char: string): boolean {
  return char !== "/";
}
