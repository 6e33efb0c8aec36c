import type { Context } from "hono";
import { bytesOf } from "./answer-bytes.ts";
import type { AppEnv } from "./app.ts";

/** Smaller ones hardly shrink. */
const COMPRESSED_BYTES = 1024;

/**
 * Sends an answer as JSON. A browser gets it compressed, or only "not modified". The user's own programs on the socket
 * get it uncompressed: for them both would cost more than they save.
 */
export async function sendAnswer(
  c: Context<AppEnv>,
  answer: unknown,
  { status, version }: { readonly status: number; readonly version: string | null },
): Promise<Response> {
  const bytes = bytesOf(answer);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (version !== null) headers["etag"] = `"${version}"`;
  if (c.env.transport === "socket") return c.body(bytes.plain(), status as 200, headers);
  if (c.req.method === "GET" && status === 200 && version === null) {
    headers["etag"] = `W/"${bytes.name()}"`;
    headers["cache-control"] = "private, no-cache";
    if (isKnown(c.req.header("if-none-match"), headers["etag"])) return c.body(null, 304, headers);
  }
  headers["vary"] = "accept-encoding";
  if (bytes.plain().length < COMPRESSED_BYTES || !/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) {
    return c.body(bytes.plain(), status as 200, headers);
  }
  headers["content-encoding"] = "gzip";
  return c.body(await bytes.zipped(), status as 200, headers);
}

function isKnown(written: string | undefined, etag: string): boolean {
  return written?.split(",").some((one) => one.trim() === etag) === true;
}
