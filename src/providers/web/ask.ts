import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import { HttpError, type HttpRequest, type HttpResponse } from "../../ports/http.ts";
import { judgeConnection, type Verdict } from "./connection-failure.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 32 * 1024 * 1024;

export interface Asked {
  readonly plugin: string;
  /** The request, for people: `GET /rest/api/3/myself`. */
  readonly what: string;
  readonly isWrite: boolean;
}

/** An answer with a JSON body; null: no body. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Until when each server asked not to be called, shared by all projects of a daemon. */
const pauses = new WeakMap<Host, Map<string, number>>();

/**
 * Requests JSON from a server. A failed read is retried once; a write is sent once, because it may have succeeded.
 * Throws what `judge` finds wrong with the answer; after a rate limit, sends nothing until it is over.
 */
export async function askJson(
  host: Host,
  request: HttpRequest,
  asked: Asked & { readonly judge: (answer: JsonAnswer) => Verdict | null },
): Promise<JsonAnswer> {
  const server = URL.canParse(request.url) ? new URL(request.url).host : "";
  requireNoPause(host, server, asked.plugin);
  const attempt = async (): Promise<JsonAnswer> => {
    const response = await sendOnce(host, request, asked);
    const answer = { status: response.status, headers: response.headers, body: readBody(response) };
    const verdict = asked.judge(answer) ?? cutOff(response, server, asked);
    if (verdict !== null) throw new PluginError({ plugin: asked.plugin, ...verdict });
    return answer;
  };
  try {
    return await attempt().catch((error: unknown) => {
      if (asked.isWrite || !(error instanceof PluginError) || error.category !== "unavailable") throw error;
      return attempt();
    });
  } catch (error) {
    if (error instanceof PluginError && error.category === "rate-limited") {
      notePause(host, server, error.retryAfterMs ?? 60_000);
    }
    throw error;
  }
}

async function sendOnce(host: Host, request: HttpRequest, asked: Asked): Promise<HttpResponse> {
  try {
    return await host.http({ ...request, isRead: !asked.isWrite, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new PluginError({ plugin: asked.plugin, ...judgeConnection(error, asked.isWrite) });
  }
}

/** An answer that should be JSON but is not; a proxy's error page is judged by its status. */
function readBody({ body }: HttpResponse): unknown {
  if (body.trim() === "") return null;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function cutOff(response: HttpResponse, server: string, { what }: Asked): Verdict | null {
  if (!response.truncated && readBody(response) !== undefined) return null;
  return { category: "bad-response", message: `${server} answered ${what} with incomplete or invalid JSON.` };
}

function requireNoPause(host: Host, server: string, plugin: string): void {
  const until = pauses.get(host)?.get(server) ?? 0;
  const left = until - host.clock.now();
  if (left <= 0) return;
  throw new PluginError({
    plugin,
    category: "rate-limited",
    message: `${server} asked ao to slow down.`,
    hint: `ao continues at ${new Date(until).toISOString()}.`,
    retryAfterMs: left,
  });
}

function notePause(host: Host, server: string, forMs: number): void {
  const ofHost = pauses.get(host) ?? new Map<string, number>();
  pauses.set(host, ofHost.set(server, host.clock.now() + forMs));
}
