export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** Bright white on black. */
  onBlack(text: string): string;
}

const COLORED = makeStyle((code, text) => `\u001b[${code}m${text}\u001b[0m`);
const PLAIN = makeStyle((_code, text) => text);

/** Colors for a stream: only on a terminal, and not with NO_COLOR or TERM=dumb. */
export function style(stream: { readonly isTTY?: boolean }): Style {
  const refused = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";
  return stream.isTTY === true && !refused ? COLORED : PLAIN;
}

function makeStyle(paint: (code: number | string, text: string) => string): Style {
  return {
    bold: (text) => paint(1, text),
    dim: (text) => paint(2, text),
    italic: (text) => paint(3, text),
    red: (text) => paint(31, text),
    green: (text) => paint(32, text),
    yellow: (text) => paint(33, text),
    cyan: (text) => paint(36, text),
    onBlack: (text) => paint("97;40", text),
  };
}
