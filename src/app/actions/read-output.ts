import { createRunOutput } from "../../platform/run-output.ts";
import { type OutputFile, outputStart, type RunOutput } from "../../ports/run-output.ts";
import type { OutputView } from "../../protocol/views/session.ts";
import type { Kernel } from "../kernel.ts";
import { requireSession } from "./look.ts";

/** What one call returns at most, about. */
const MAX_OUTPUT = 512 * 1024;
const PAGE = MAX_OUTPUT / 2;

interface OutputPlace {
  readonly run: number;
  readonly offset: number;
  readonly errors: number;
}

/**
 * Output of all runs after a cursor (`run:offset:errors`), or about the last bytes of it; standard output and then the
 * errors of each ended run.
 */
export async function output(
  kernel: Kernel,
  sessionId: string,
  { cursor, last: lastBytes }: { readonly cursor?: string; readonly last?: number },
): Promise<OutputView> {
  const session = requireSession(kernel, sessionId);
  const last = session.run.n;
  const files = outputOf(kernel, sessionId);
  let place =
    cursor === undefined && lastBytes !== undefined
      ? await placeFromEnd(files, last, lastBytes)
      : parsePlace(cursor ?? "1:0:0");
  let text = "";
  while (place.run <= last && text.length < MAX_OUTPUT) {
    const { run } = place;
    const out = await readText(files, { run, file: "out", from: place.offset });
    const err = await readText(files, { run, file: "err", from: place.errors });
    text += out.text + err.text;
    place = { run, offset: out.next, errors: err.next };
    const over = run < last && out.text === "" && err.text === "";
    if (run === last || !over) {
      if (out.text === "" && err.text === "") break;
      continue;
    }
    place = { run: run + 1, offset: 0, errors: 0 };
  }
  // The next call reads what was printed between this read and the session's stop.
  const over = session.phase === "stopped" && text === "";
  return { text, cursor: `${place.run}:${place.offset}:${place.errors}`, over };
}

/** What the runs of a session printed. */
export function outputOf(kernel: Kernel, sessionId: string): RunOutput {
  return createRunOutput(kernel.host.fs, (run) => kernel.runDir(sessionId, run));
}

function parsePlace(cursor: string): OutputPlace {
  const [run = 1, offset = 0, errors = 0] = cursor.split(":").map((part) => Number.parseInt(part, 10) || 0);
  return { run: Math.max(1, run), offset, errors };
}

// Long output is not read completely to show its end.
async function placeFromEnd(files: RunOutput, last: number, bytes: number): Promise<OutputPlace> {
  let left = bytes;
  for (let run = last; run >= 1; run -= 1) {
    const [out = 0, err = 0] = await Promise.all(
      (["out", "err"] as const).map(async (name) => (await files.size(run, name))?.bytes ?? 0),
    );
    if (out + err >= left || run === 1) {
      return { run, offset: Math.max(0, out - left), errors: Math.max(0, err - left) };
    }
    left -= out + err;
  }
  return { run: 1, offset: 0, errors: 0 };
}

async function readText(
  files: RunOutput,
  { run, file, from }: { readonly run: number; readonly file: OutputFile; readonly from: number },
): Promise<{ readonly text: string; readonly next: number }> {
  // What is before the kept part was freed: reading that would take as long as it was.
  const start = outputStart((await files.size(run, file))?.bytes ?? 0);
  for (let at = Math.max(from, start); ; ) {
    const bytes = await files.read(run, file, { from: at, max: PAGE });
    if (bytes.length === 0) return { text: "", next: at };
    const whole = wholeCharacters(bytes);
    at += whole;
    // The start of a long output was freed on disk and reads as zeros.
    const text = new TextDecoder().decode(bytes.subarray(0, whole)).replace(/^\0+/, "");
    if (text !== "" || whole === 0) return { text, next: at };
  }
}

// A multi-byte character may be cut at the end; it is read next time.
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
