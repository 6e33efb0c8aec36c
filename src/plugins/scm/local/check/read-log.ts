import { toPlainText } from "../../../../core/log-end.ts";
import type { Host } from "../../../../ports/host.ts";
import type { CheckLog } from "../../../../ports/scm-check.ts";
import { checkFolder } from "./folder.ts";
import { withoutFolder } from "./log-tail.ts";

const PART_BYTES = 64 * 1024;
const NEWLINE = 10;

/**
 * The output of an attempt since a cursor, set-up and command as one text; the set-up is over when the command starts,
 * so cursors stay valid. A line that is still being written comes when it or the attempt has ended.
 */
export async function readCheckLog(host: Host, folder: string, cursor: number | null): Promise<CheckLog | null> {
  const { setUpLog, log, answer, tree } = checkFolder(folder);
  const before = (await host.fs.stat(setUpLog))?.size ?? null;
  const after = (await host.fs.stat(log))?.size ?? null;
  if (before === null && after === null) return null;
  const split = before ?? 0;
  const total = split + (after ?? 0);
  const tail = Math.max(0, total - PART_BYTES);
  const isOver = (await host.fs.stat(answer)) !== null;
  // A partial line means nothing.
  const skip = cursor === null && tail > 0;
  const from = Math.min(cursor ?? tail, total);
  const first = from < split ? await readPart(host, setUpLog, { from, skip, isEnded: after !== null || isOver }) : null;
  const reached = first === null ? from : first.end;
  const rest = { from: reached - split, skip: skip && first === null, isEnded: isOver };
  const second = reached >= split && reached < total ? await readPart(host, log, rest) : null;
  const text = toPlainText(`${first?.text ?? ""}${second?.text ?? ""}`);
  return { text: await withoutFolder(host, tree, text), cursor: second === null ? reached : split + second.end };
}

async function readPart(
  host: Host,
  path: string,
  part: { readonly from: number; readonly skip: boolean; readonly isEnded: boolean },
): Promise<{ readonly text: string; readonly end: number }> {
  const bytes = (await host.fs.readBytes(path, part.from, PART_BYTES)) ?? new Uint8Array();
  const isFull = bytes.length === PART_BYTES;
  const last = bytes.lastIndexOf(NEWLINE) + 1;
  const end = (isFull && last === 0) || (!isFull && part.isEnded) ? bytes.length : last;
  const begin = part.skip ? Math.min(end, bytes.indexOf(NEWLINE) + 1) : 0;
  return { text: new TextDecoder().decode(bytes.subarray(begin, end)), end: part.from + end };
}
