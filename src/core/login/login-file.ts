/** A file with a login that an agent's program replaces as it refreshes its tokens, and what of it may leave a sandbox. */
export interface LoginFile {
  readonly name: string;
  /** The only fields that are taken from a sandbox; the others stay the user's. Absent: all. */
  readonly fields?: readonly string[];
  /** Each field is the record of one service: only these of its fields are taken, and only from records of these types. */
  readonly records?: { readonly fields: readonly string[]; readonly types?: readonly string[] };
  /** It is not JSON but an encrypted text. */
  readonly isOpaque?: true;
}

type Fields = Readonly<Record<string, unknown>>;

/** A shorter text is no token. */
const MIN_TOKEN = 8;
/** Tokens are no deeper than this in a file. */
const MAX_DEPTH = 6;

/**
 * The user's file after a program in a sandbox changed its copy; null: the copy has no login. An agent writes the copy, so
 * only tokens come out of it: an address in the file, for example, would decide which server the user's next program asks.
 */
export function admitLogin(rule: LoginFile, changed: string, own: string | null): string | null {
  if (!isLogin(rule, changed)) return null;
  const next = parseFields(changed);
  if (rule.isOpaque === true || next === null) return changed;
  const before = own === null ? null : parseFields(own);
  const merged = merge(rule, next, before ?? {});
  return holdsToken(merged, MAX_DEPTH) ? write(merged, [own, changed]) : null;
}

/** Does this file hold a login at all? */
export function isLogin({ isOpaque }: LoginFile, text: string): boolean {
  return isOpaque === true ? /^[\x21-\x7e]{16,}\s*$/.test(text) : holdsToken(parseFields(text), MAX_DEPTH);
}

// As one of these texts, if it has the same content.
function write(merged: Fields, texts: readonly (string | null)[]): string | null {
  try {
    const content = JSON.stringify(merged);
    const same = texts.find((text) => text !== null && JSON.stringify(parseFields(text)) === content);
    return same ?? `${JSON.stringify(merged, null, 2)}\n`;
  } catch {
    // Nested so deeply that it cannot be written: no login.
    return null;
  }
}

function merge({ fields, records }: LoginFile, next: Fields, own: Fields): Fields {
  const taken = Object.entries(next).filter(([name]) => fields === undefined || fields.includes(name));
  if (records === undefined) return { ...own, ...Object.fromEntries(taken) };
  const known = new Map(Object.entries(own));
  const admitted = taken.flatMap(([name, record]): readonly (readonly [string, unknown])[] => {
    const before = known.get(name);
    const after = mergeRecord(records, record, before);
    return after === null ? [] : [[name, after]];
  });
  return { ...own, ...Object.fromEntries(admitted) };
}

function mergeRecord({ fields, types }: NonNullable<LoginFile["records"]>, next: unknown, own: unknown): Fields | null {
  const isAdmitted = (record: Fields): boolean => types === undefined || types.includes(String(record["type"]));
  if (!isFields(next) || !isAdmitted(next)) return null;
  if (own !== undefined && (!isFields(own) || !isAdmitted(own))) return null;
  return { ...own, ...Object.fromEntries(Object.entries(next).filter(([name]) => fields.includes(name))) };
}

function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function holdsToken(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.length >= MIN_TOKEN;
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.values(value).some((inner) => holdsToken(inner, depth - 1));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
