import type { IncomingMessage } from "node:http";
import { readAnswer, toQuery } from "../../protocol/request.ts";
import type { EventView } from "../../protocol/views/event.ts";
import { pause } from "../views/watch.ts";
import { type Client, unreachable } from "./client.ts";
import { isAbsent } from "./http.ts";
import { openStream } from "./http-stream.ts";

export interface EventOptions {
  readonly since: number;
  readonly follow: boolean;
  /** Only this session's events, including those of its pull requests. */
  readonly session?: string | undefined;
  readonly signal: AbortSignal;
  /** Called when the connection to the daemon is lost; the next event means that it is back. */
  readonly onLost?: () => void;
}

/** A restarting daemon is back within this time. */
export const RETURN_LIMIT_MS = 15_000;
export const RETRY_MS = 200;
/** The daemon sends a comment now and then, so a longer silence means that it is gone. */
const SILENCE_MS = 10 * 60_000;

/** The log from a position on; with `follow` it continues, across daemon restarts, until the signal. */
export async function* readEvents(client: Client, options: EventOptions): AsyncGenerator<EventView> {
  let since = options.since;
  let lostAt: number | null = null;
  while (!options.signal.aborted) {
    try {
      const response = await openEvents(client, { ...options, since });
      lostAt = null;
      for await (const { data } of parseEvents(response)) {
        const event = data as EventView;
        since = event.position;
        yield event;
      }
      if (!options.follow) return;
      options.onLost?.();
    } catch (cause) {
      if (options.signal.aborted) return;
      if (!isLost(cause)) throw cause;
      options.onLost?.();
      lostAt ??= performance.now();
      const mayReturn = options.follow && performance.now() - lostAt <= RETURN_LIMIT_MS;
      if (!mayReturn) throw unreachable(client.paths, cause);
    }
    await pause(RETRY_MS, options.signal);
  }
}

/** One server-sent event. */
export interface ServerMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

/** Parses server-sent events; skips comments and incomplete ones. */
export async function* parseEvents(chunks: AsyncIterable<unknown>): AsyncGenerator<ServerMessage> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const valuesOf = (name: string): readonly string[] =>
        lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trimStart()] : []));
      const data = valuesOf("data");
      if (data.length === 0) continue;
      const event = valuesOf("event").at(-1) ?? "message";
      yield { id: valuesOf("id").at(-1) ?? null, event, data: JSON.parse(data.join("\n")) };
    }
  }
}

function openEvents(client: Client, options: EventOptions): Promise<IncomingMessage> {
  const query = toQuery({ since: options.since, follow: options.follow ? 1 : 0, session: options.session });
  return openServerEvents(client, `/api/events${query}`, options.signal);
}

/** Opens one of the daemon's event streams. */
export async function openServerEvents(client: Client, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const response = await openStream({ socket: client.paths.socket, path, timeoutMs: SILENCE_MS, signal });
  if (response.statusCode === 200) return response;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  readAnswer({ status: response.statusCode ?? 0, text });
  throw new Error(`the daemon answered ${response.statusCode} to a request for events`);
}

/** Is the connection to the daemon broken or refused? */
export function isLost(cause: unknown): boolean {
  return isAbsent(cause) || ["ECONNRESET", "EPIPE", "ETIMEDOUT"].includes((cause as NodeJS.ErrnoException).code ?? "");
}
