import { endOfLog } from "../../../../core/log-end.ts";
import type { Host } from "../../../../ports/host.ts";

// Colors and progress bars take room that the reader never sees.
const RAW_BYTES = 256 * 1024;
const KEPT_BYTES = 1024 * 1024;

/** The end of a program's output as plain text: at most 200 lines and 16 KiB. */
export function tailOfLog(bytes: Uint8Array, isWhole: boolean): string {
  const decoded = new TextDecoder().decode(bytes);
  const newline = decoded.indexOf("\n");
  const text = isWhole || newline < 0 ? decoded : decoded.slice(newline + 1);
  return endOfLog(text);
}

/** The checkout is removed, and another attempt has another one: paths mean the files of the commit. */
export async function withoutFolder(host: Host, tree: string, log: string): Promise<string> {
  const real = (await host.fs.realPath(tree)) ?? tree;
  return [real, tree].reduce((text, path) => text.replaceAll(`${path}/`, "").replaceAll(path, "."), log);
}

/** The end of a log file, for people and agents; a missing log is empty. */
export async function readLogTail(host: Host, path: string): Promise<string> {
  const bytes = await host.fs.readEnd(path, RAW_BYTES);
  return bytes === null ? "" : tailOfLog(bytes, bytes.length < RAW_BYTES);
}

/** Cuts a complete log down to its end; many of them are kept. */
export async function trimLog(host: Host, path: string): Promise<void> {
  const size = (await host.fs.stat(path))?.size ?? 0;
  if (size <= KEPT_BYTES) return;
  const bytes = await host.fs.readEnd(path, KEPT_BYTES);
  const short = `${path}.short`;
  await host.fs.remove(short);
  await host.fs.append(short, bytes ?? new Uint8Array());
  await host.fs.rename(short, path);
}
