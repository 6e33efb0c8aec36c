export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * Parses a whole HTTP/1.1 answer; null if a part is missing. An answer without a length is complete once `isClosed`.
 */
export function parseAnswer(bytes: Buffer, isClosed = true): HttpAnswer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  if (status === 0) return null;
  const headers = new Map(lines.map((line) => splitHeader(line)));
  const rest = bytes.subarray(end + 4);
  const body =
    headers.get("transfer-encoding")?.toLowerCase() === "chunked" ? joinChunks(rest) : cutBody(rest, headers, isClosed);
  return body === null ? null : { status, type: headers.get("content-type") ?? "", text: body.toString("utf8") };
}

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function cutBody(rest: Buffer, headers: ReadonlyMap<string, string>, isClosed: boolean): Buffer | null {
  const length = headers.get("content-length");
  if (length === undefined) return isClosed ? rest : null;
  return rest.length < Number(length) ? null : rest.subarray(0, Number(length));
}

/** Joins a chunked body: a length in hexadecimal, that many bytes, and so on until a length of 0. */
function joinChunks(rest: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) return null;
    if (size === 0) return Buffer.concat(parts);
    const start = lineEnd + 2;
    if (rest.length < start + size + 2) return null;
    parts.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}
