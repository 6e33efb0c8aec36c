import { formatLiveId, type LivePlace } from "./live-id.ts";

const encoder = new TextEncoder();

/** One message in server-sent event format, without an id. */
export function formatFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Messages that belong together. Only the last one carries the id: a client that loses the connection earlier requests
 * all of them again.
 */
export function encodeFrames(frames: readonly string[], place: LivePlace | null): Uint8Array {
  if (place === null) return encoder.encode(frames.join(""));
  const last = frames.at(-1) ?? "\n";
  return encoder.encode(`${frames.slice(0, -1).join("")}id: ${formatLiveId(place)}\n${last}`);
}
