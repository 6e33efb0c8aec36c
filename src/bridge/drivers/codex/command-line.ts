/**
 * The command as a person would type it: the program reports it with the shell that runs it, `/bin/bash -lc 'npm
 * test'`.
 */
export function unwrapShell(command: string): string {
  const [, rest] = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (.+)$/s.exec(command) ?? [];
  return (rest === undefined ? null : readWord(rest)) ?? command;
}

const PIECE = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\;&|<>()`$]+)/gsy;

// One shell word, with any quotes; null if there is more than one, so that nothing is hidden.
function readWord(text: string): string | null {
  let word = "";
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    const [whole, single, double, escaped, bare] = match;
    word += single ?? double?.replace(/\\([\\"$`])/g, "$1") ?? escaped ?? bare ?? "";
    end = match.index + whole.length;
  }
  return end === text.length ? word : null;
}
