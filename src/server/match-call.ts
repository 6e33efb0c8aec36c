import { CALLS } from "../protocol/calls/all.ts";
import type { Described } from "../protocol/calls/call.ts";
import { SOCKETS, STREAMS } from "../protocol/calls/streams.ts";
import { TEXTS } from "../protocol/calls/texts.ts";

interface Row {
  readonly method: string;
  readonly pattern: RegExp;
  readonly spec: Described;
}

const TABLE: Readonly<Record<string, Described>> = { ...CALLS, ...STREAMS, ...SOCKETS, ...TEXTS };
const ROWS: readonly Row[] = Object.entries(TABLE).map(([call, spec]) => {
  const [method = "", path = ""] = call.split(" ");
  const pattern = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, pattern: new RegExp(`^${pattern}$`), spec };
});

/** The call that a request matches; null: not in the table. */
export function matchCall(
  method: string,
  path: string,
): { readonly spec: Described; readonly params: Readonly<Record<string, string>> } | null {
  const asked = method === "HEAD" ? "GET" : method;
  for (const { method: known, pattern, spec } of ROWS) {
    const found = known === asked ? pattern.exec(path) : null;
    if (found !== null) return { spec, params: decodeAll(found.groups ?? {}) };
  }
  return null;
}

function decodeAll(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(value)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
