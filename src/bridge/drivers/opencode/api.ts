import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { USER } from "./environment.ts";

/** What the server answered. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  /** The cursor of the page before this one, or null. */
  readonly cursor: string | null;
}

/** The server's HTTP interface. */
export interface Api {
  /** Retries if there is no answer: a request to a server that just started may hang. */
  get(path: string): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
  /** The answer as a stream of bytes; the signal ends it. */
  follow(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** A POST as data; events report its result. */
export interface PostRequest {
  readonly kind: "post";
  readonly path: string;
  readonly body?: object;
}

export interface Target {
  readonly url: string;
  readonly password: string;
}

const GET_MS = 10_000;
const GET_TRIES = 4;
const POST_MS = 60_000;
const PAUSE_MS = 200;

/** Creates a client for one server. */
export function createApi({ url, password }: Target): Api {
  const authorization = `Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`;
  const send = async (path: string, init: RequestInit, limitMs: number): Promise<Answer> => {
    const headers = { ...init.headers, authorization };
    const response = await fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(limitMs) });
    const text = await response.text();
    return { status: response.status, data: parse(text), cursor: response.headers.get("x-next-cursor") };
  };
  return {
    get: async (path) => {
      for (let left = GET_TRIES - 1; ; left -= 1) {
        try {
          return await send(path, {}, GET_MS);
        } catch (error) {
          if (left === 0) throw error;
          await pause(PAUSE_MS);
        }
      }
    },
    post: (path, body) => send(path, { method: "POST", ...(body === undefined ? {} : asJson(body)) }, POST_MS),
    follow: async (path, signal) => {
      const response = await fetch(`${url}${path}`, { headers: { authorization }, signal });
      if (!response.ok || response.body === null) throw new Error(`${path} is answered with ${response.status}`);
      return response.body;
    },
  };
}

function asJson(body: object): RequestInit {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The message of an unsuccessful answer. */
export function wordsOf({ status, data }: Answer): string {
  const fields = Words.safeParse(data).data;
  const [issue] = fields?.data.issues ?? [];
  const wrong =
    issue === undefined ? null : `${fields?.data.path ?? ""} ${issue.path.join(".")}: ${issue.message}`.trim();
  const words = wrong ?? fields?.data.message ?? fields?.message;
  return words == null ? `status ${status}` : `${words} (${status})`;
}

const Issue = z.looseObject({ path: z.array(z.union([z.string(), z.number()])).catch([]), message: z.string() });
const Words = z.looseObject({
  message: z.string().nullish().catch(null),
  data: z
    .looseObject({
      message: z.string().nullish().catch(null),
      path: z.string().nullish().catch(null),
      issues: z.array(Issue).catch([]),
    })
    .catch({ message: null, path: null, issues: [] }),
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
