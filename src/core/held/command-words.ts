/** A part of a word (escaped, in quotes, or plain), what ends a command, or blanks. */
const PART =
  /\\(?<escaped>.)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<end>[;|&()\n<>`])|\s+|(?<plain>[^\\'";|&()<>`\s]+|.)/gs;
const MAX_LENGTH = 20_000;
const MAX_DEPTH = 4;

/** The commands of a shell line, each as its words without quotes; those in a quoted argument, as of `sh -c`, too. */
export function commandsIn(line: string, depth = 0): readonly (readonly string[])[] {
  const commands = split(line);
  if (depth >= MAX_DEPTH) return commands;
  const quoted = commands.flat().filter((word) => /\s/.test(word) && word !== line);
  return [...commands, ...quoted.flatMap((word) => commandsIn(word, depth + 1))];
}

function split(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isWordOpen = false;
  for (const { groups = {} } of line.slice(0, MAX_LENGTH).matchAll(PART)) {
    const { escaped, single, double, end, plain } = groups;
    const text = escaped ?? single ?? double?.replace(/\\(.)/gs, "$1") ?? plain;
    if (end !== undefined) commands.push([]);
    const words = commands.at(-1) ?? [];
    if (text !== undefined) words.push((isWordOpen ? words.pop() : "") + text);
    isWordOpen = text !== undefined;
  }
  return commands.filter((words) => words.length > 0);
}
