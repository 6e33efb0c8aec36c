/** The agent's words, which come in pieces of a word or two. */
export interface Speech {
  add(text: string): void;
  /** Something else happened: what was said is whole. */
  pause(): void;
  /** The last words of the turn. */
  last(): string;
  /** The whole of the last piece. */
  lastPiece(): string;
  begin(): void;
}

/** A long answer is told in parts, at the end of a line. */
const TELL_AT = 4000;
const MAX_LAST = 4000;

/** Collects pieces into texts for the transcript. */
export function createSpeech(tell: (text: string) => void): Speech {
  let untold = "";
  let last = "";
  let piece = "";
  let isPaused = true;
  return {
    add: (text) => {
      if (text === "") return;
      last = `${isPaused ? "" : last}${text}`.slice(-MAX_LAST);
      isPaused = false;
      piece = text;
      untold += text;
      const end = untold.length < TELL_AT ? -1 : untold.lastIndexOf("\n");
      if (untold.length >= 2 * TELL_AT || end >= 0) {
        const at = end >= 0 ? end + 1 : untold.length;
        tell(untold.slice(0, at));
        untold = untold.slice(at);
      }
    },
    pause: () => {
      if (untold.trim() !== "") tell(untold.trim());
      untold = "";
      isPaused = true;
    },
    last: () => last.trim(),
    lastPiece: () => piece,
    begin: () => {
      untold = "";
      last = "";
      piece = "";
      isPaused = true;
    },
  };
}
