import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { AoError } from "../../core/errors.ts";
import { codeOf } from "../client/http.ts";
import { misuse } from "./usage-error.ts";

/** Maximum size of one message or prompt. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * The whole text of a file, or of stdin for `-`; rejects text that is too large or not UTF-8 instead of changing it.
 */
export async function readText(file: string): Promise<string> {
  if (file === "-") return decodeText(await readBounded(process.stdin), "stdin");
  try {
    const handle = await open(file, "r");
    return decodeText(await readBounded(handle.createReadStream()), file);
  } catch (cause) {
    if (cause instanceof AoError) throw cause;
    const why = codeOf(cause) === "ENOENT" ? "there is no such file" : (codeOf(cause) ?? String(cause));
    throw misuse(`cannot read ${file}: ${why}`, "Check the path; - stands for stdin.");
  }
}

/** Bytes as text, unchanged: keeps a byte order mark, and rejects what is not UTF-8. */
export function decodeText(bytes: Uint8Array, source: string): string {
  checkSize(bytes.length, source);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const hint = "Convert it first, for example with iconv.";
    throw new AoError({ code: "message-refused", message: `${source} is not valid UTF-8`, hint, cause });
  }
}

/** Rejects an argument that is not UTF-8: node has replaced the invalid bytes, but the kernel still has them. */
export function checkArgument(text: string): void {
  if (!text.includes("\ufffd") || !existsSync("/proc/self/cmdline")) return;
  for (const bytes of splitArguments(readFileSync("/proc/self/cmdline"))) decodeText(bytes, "the message");
}

function splitArguments(cmdline: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0, end = cmdline.indexOf(0); end >= 0; from = end + 1, end = cmdline.indexOf(0, from)) {
    parts.push(cmdline.subarray(from, end));
  }
  return parts;
}

/** Rejects a text that the daemon would reject, before sending it. */
export function checkSize(bytes: number, source: string): void {
  if (bytes <= MAX_TEXT_BYTES) return;
  const hint = "Put it into a file in the workspace and send its name.";
  throw new AoError({ code: "too-large", message: `${source} is larger than 1 MiB`, hint });
}

async function readBounded(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_TEXT_BYTES) break;
  }
  return Buffer.concat(chunks);
}
