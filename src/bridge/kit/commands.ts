/** A parsed shell command, as far as command rules need it. */
export interface Parsed {
  /** Each simple command in it, including nested ones. */
  readonly parts: readonly string[];
  /** It does nothing beyond its parts: no substitution, no file written by the shell, no doubtful quotes. */
  readonly isPlain: boolean;
  /** What may also run if the quotes are not where they seem to be: the text split at every operator. */
  readonly suspects: readonly string[];
}

// To another stream or to /dev/null, as whole words: `>&2x` is a file of that name, and in `x2>&1` the 2 belongs to
// `x2`.
const HARMLESS = /(?:(?<![^ \t\n;|&()])\d+)?>[ \t]*(?:&\d|\/dev\/null)(?=[ \t\n;|&()]|$)/g;
// Bash only; other shells take its & for an operator, so a word after it would be a command.
const HARMLESS_IN_BASH = /&>[ \t]*\/dev\/null(?=[ \t]*(?:[\n;|&()]|$))/g;
const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs;
const OPERATOR = /&&|\|\||[;|&\n`(){}]|\$\(/;
// A comment may contain a single apostrophe, and $'...' an escaped one: what follows only seems to be quoted.
const DOUBTFUL_QUOTES = /(?:^|[\s;|&()<>`])#|\$\u0000/;
// "${x:-"a"}" is one string for a shell, and two for us.
const SIMPLE_VARIABLE = /\$\{[^{}$`'"\\]*\}/g;

/** Splits a command at the shell's operators, respecting quotes. */
export function parseCommand(command: string): Parsed {
  const quotes: string[] = [];
  // Quoted text is one word, but double quotes allow substitutions. A shell removes an escaped newline.
  const unquoted = command.replace(QUOTED, (quoted) => {
    if (quoted === "\\\n") return "";
    quotes.push(quoted);
    return `\u0000${quotes.length - 1}\u0000`;
  });
  const bare = unquoted.replace(HARMLESS_IN_BASH, " ").replace(HARMLESS, " ");
  const restore = (text: string): string => text.replace(/\u0000(\d+)\u0000/g, (_, n) => quotes[Number(n)] ?? "");
  const inside = quotes.filter((quoted) => quoted.startsWith('"')).join(" ");
  const isPlain = isPlainOutside(bare) && !/`|\$\(|\$\{/.test(inside.replace(SIMPLE_VARIABLE, ""));
  const pieces = bare.split(OPERATOR).map(restore);
  const nested = inside.match(/(?<=\$\(|`)[^)`]*/g) ?? [];
  return { parts: clean([...pieces, ...nested]), isPlain, suspects: isPlain ? [] : suspectsIn(command) };
}

function isPlainOutside(bare: string): boolean {
  return !/[`<>()"']|\$\(/.test(bare) && !DOUBTFUL_QUOTES.test(bare);
}

// In a comment, an escaped newline ends the line; elsewhere it joins two.
function suspectsIn(command: string): readonly string[] {
  const texts = [command, command.replaceAll("\\\n", "")];
  const pieces = texts.flatMap((text) => text.split(OPERATOR));
  return clean(pieces.flatMap((piece) => [piece, piece.replace(/\s#.*/s, "")]));
}

function clean(parts: readonly string[]): readonly string[] {
  return parts.map(squeeze).filter((part) => part !== "");
}

/** The command after variables and wrapper programs. */
export function unwrapCommand(part: string): string {
  return part.replace(/^((\w+=\S*|sudo|command|exec|env|nohup|time|then|do|else|!|if|while)\s+)+/, "");
}

/** Does a rule (`npm test`, `git *`) match this simple command? */
export function matchesCommand(rule: string, part: string): boolean {
  const [wanted, text] = [squeeze(rule), squeeze(part)];
  // `git *` matches `git` alone or with arguments, but not `gitk`.
  return matchesStars(wanted, text) || (wanted.endsWith(" *") && matchesStars(wanted.slice(0, -2), text));
}

/** A star is any text. Each piece is looked for once, from left to right, so it takes no longer than the command is long. */
function matchesStars(pattern: string, text: string): boolean {
  const pieces = pattern.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return text === pattern;
  if (!text.startsWith(first) || !text.slice(first.length).endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

// What separates words for a shell; other white space is part of a name.
function squeeze(text: string): string {
  return text.replace(/[ \t\n]+/g, " ").replace(/^ | $/g, "");
}
