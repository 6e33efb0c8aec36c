import { createHash } from "node:crypto";

/** Adds an ETag to an answer, and omits content that the caller already has. */
export async function withEtag(request: Request, response: Response): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  if (request.method !== "GET" || status !== 200) return new Response(response.body, { status, headers });
  const body = await response.text();
  const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
  headers.set("etag", etag);
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { status, headers });
}
