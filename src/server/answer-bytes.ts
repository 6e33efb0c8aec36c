import { createHash, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const zip = promisify(gzip);
/** Most of what a higher level would save, in a third of its time. */
const LEVEL = 3;

type Bytes = Uint8Array<ArrayBuffer>;

/** The encoded forms of an answer, each created on first use. */
export interface AnswerBytes {
  plain(): Bytes;
  /** A name that no other bytes have. */
  name(): string;
  zipped(): Promise<Bytes>;
}

/** A list whose unchanged rows are the same objects as before. */
interface LastingList {
  readonly data: readonly object[];
}

const kept = new WeakMap<object, AnswerBytes>();

/** Keeps the bytes of an answer as long as the answer itself, which must not change any more. */
export function keepBytes<Answer extends LastingList>(answer: Answer): Answer {
  kept.set(
    answer,
    toBytes(() => joinRows(answer), nextName),
  );
  return answer;
}

/** The bytes of an answer: cached ones, or new ones. */
export function bytesOf(answer: unknown): AnswerBytes {
  const known = typeof answer === "object" && answer !== null ? kept.get(answer) : undefined;
  return known ?? toBytes(() => encoder.encode(JSON.stringify(answer)), hashOf);
}

/** No other run of this program creates the same names. */
const run = randomUUID();
let named = 0;

/** Cached bytes never change, so a number can name them, and a megabyte need not be hashed for each change in it. */
function nextName(): string {
  named += 1;
  return `${run}.${named}`;
}

function hashOf(bytes: Bytes): string {
  return createHash("sha1").update(bytes).digest("base64url");
}

function toBytes(make: () => Bytes, nameOf: (bytes: Bytes) => string): AnswerBytes {
  const plain = once(make);
  return {
    plain,
    name: once(() => nameOf(plain())),
    zipped: once(async () => new Uint8Array(await zip(plain(), { level: LEVEL }))),
  };
}

const encoder = new TextEncoder();
const rows = new WeakMap<object, Bytes>();

/** The same output as `JSON.stringify`; only new rows are encoded. */
function joinRows({ data, ...rest }: LastingList): Bytes {
  const others = JSON.stringify(rest).slice(1);
  const parts = data.map(bytesOfRow);
  // Without the comma after the last one.
  const last = parts.pop()?.subarray(0, -1) ?? encoder.encode("");
  const end = encoder.encode(others === "}" ? "]}" : `],${others}`);
  return Buffer.concat([encoder.encode('{"data":['), ...parts, last, end]);
}

/** A row and a comma. */
function bytesOfRow(row: object): Bytes {
  const known = rows.get(row);
  if (known !== undefined) return known;
  const made = encoder.encode(`${JSON.stringify(row)},`);
  rows.set(row, made);
  return made;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
