/** A parsed shell command, as far as command rules need it. */
export interface Parsed {
  /** Each simple command in it, including nested ones. */
  readonly parts: readonly string[];
  /** It does nothing beyond its parts: no substitution, no file written by the shell. */
  readonly isPlain: boolean;
}

// To another stream or to /dev/null, as whole words: `>&2x` is a file of that name, and in `x2>&1` the 2 belongs to
// `x2`.
const HARMLESS = /(?:(?<![^ \t\n;|&()])\d+)?>[ \t]*(?:&\d|\/dev\/null)(?=[ \t\n;|&()]|$)/g;
// Bash only; other shells take its & for an operator, so a word after it would be a command.
const HARMLESS_IN_BASH = /&>[ \t]*\/dev\/null(?=[ \t]*(?:[\n;|&()]|$))/g;
const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs;

/** Splits a command at the shell's operators, respecting quotes. */
export function parseCommand(command: string): Parsed {
  const quotes: string[] = [];
  // Quoted text is one word, but double quotes allow substitutions.
  const unquoted = command.replace(QUOTED, (quoted) => {
    quotes.push(quoted);
    return `\u0000${quotes.length - 1}\u0000`;
  });
  const bare = unquoted.replace(HARMLESS_IN_BASH, " ").replace(HARMLESS, " ");
  const restore = (text: string): string => text.replace(/\u0000(\d+)\u0000/g, (_, n) => quotes[Number(n)] ?? "");
  const inside = quotes.filter((quoted) => quoted.startsWith('"')).join(" ");
  const isPlain = !/[`<>()]|\$\(/.test(bare) && !/`|\$\(/.test(inside) && !/["']/.test(bare);
  const pieces = bare.split(/&&|\|\||[;|&\n`(){}]|\$\(/).map(restore);
  const nested = inside.match(/(?<=\$\(|`)[^)`]*/g) ?? [];
  const parts = [...pieces, ...nested].map(squeeze).filter((part) => part !== "");
  return { parts, isPlain };
}

/** The command after variables and wrapper programs. */
export function unwrapCommand(part: string): string {
  return part.replace(/^((\w+=\S*|sudo|command|exec|env|nohup|time|then|do|else|!|if|while)\s+)+/, "");
}

/** Does a rule (`npm test`, `git *`) match this simple command? */
export function matchesCommand(rule: string, part: string): boolean {
  const wanted = squeeze(rule).replace(/ \*$/, "*");
  const isOpen = wanted.length < squeeze(rule).length;
  const source = wanted
    .split("*")
    .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  // `git *` matches `git` alone or with arguments, but not `gitk`.
  const pattern = isOpen ? source.replace(/\.\*$/, "( .*)?") : source;
  return new RegExp(`^${pattern}$`, "s").test(squeeze(part));
}

// What separates words for a shell; other white space is part of a name.
function squeeze(text: string): string {
  return text.replace(/[ \t\n]+/g, " ").replace(/^ | $/g, "");
}
