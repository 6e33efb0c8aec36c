const NEWLINE = 10;

/** Cuts a stream of bytes into lines. A line above the bound is left out, so that memory has one too. */
export function createLineSplitter(maxBytes: number, onLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      const line = size <= maxBytes ? Buffer.concat(parts).toString("utf8") : null;
      parts = [];
      size = 0;
      from = end + 1;
      if (line !== null) onLine(line);
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
