import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { geminiApi } from "./gemini-api.ts";
import { ANSWER_USAGE, type ModelApi, type ModelCall } from "./model-api.ts";
import { responsesApi } from "./responses-api.ts";
import { readSteps, type Step } from "./steps.ts";

/** A model call as it arrived, and its result. */
export interface SeenCall extends ModelCall {
  readonly step: Step;
  readonly body: unknown;
  /** The request. */
  readonly key: string;
  /** True once the whole answer was sent. */
  answered: boolean;
}

/** A server that answers like a model, following the script in the prompt itself. */
export interface ModelServer {
  readonly url: string;
  /** Calls with tools, that is the agent's own. */
  readonly calls: readonly SeenCall[];
  /** Is a call waiting at this hold, from a program that is still connected? */
  isHolding(name: string): boolean;
  release(name: string): void;
  /** Tokens of all answers so far. */
  handedOut(): { readonly inputTokens: number; readonly outputTokens: number };
  /** Those of the input that came from a cache. */
  handedOutCached(): number;
  /** How often this text is in the last call: a message delivered twice appears twice. */
  countInLast(text: string): number;
  /** Is this text anywhere in the last call: in the system's prompt, in the tools? */
  isInLast(text: string): boolean;
  close(): Promise<void>;
}

const APIS: readonly ModelApi[] = [anthropic, chat, geminiApi, responsesApi];

/** What the model does next, given everything it was sent. */
export type Script = (call: ModelCall, body: unknown) => Step;

/** Starts the server on a free port of the loopback. Without a script of its own the model follows the one in the prompt. */
export async function startModelServer(script: Script = ({ turns }) => readSteps(turns)): Promise<ModelServer> {
  const calls: SeenCall[] = [];
  const holds = new Map<string, (() => void)[]>();
  const released = new Set<string>();
  let answers = 0;

  const hold = (name: string, response: ServerResponse): Promise<void> =>
    released.has(name)
      ? Promise.resolve()
      : new Promise((resolve) => {
          holds.set(name, [...(holds.get(name) ?? []), resolve]);
          response.on("close", () => {
            const others = (holds.get(name) ?? []).filter((other) => other !== resolve);
            holds.set(name, others);
            resolve();
          });
        });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const api = APIS.find(({ matches }) => matches(request.url ?? ""));
    const body = await readJson(request);
    if (api === undefined || body === null) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const call = api.read(body, request.url ?? "");
    const step = call.hasTools ? script(call, body) : ({ kind: "say", text: "A title", hold: null } as const);
    const seen: SeenCall = { ...call, step, body, key: keyOf(request), answered: false };
    if (call.hasTools) calls.push(seen);
    let isGone = false;
    response.on("close", () => {
      isGone = true;
    });
    if (step.hold !== null) await hold(step.hold, response);
    if (isGone) return;
    if (step.kind === "error") return api.fail(response, step.status);
    api.answer(response, body, step);
    seen.answered = true;
    if (call.hasTools) answers += 1;
  };

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    isHolding: (name) => (holds.get(name)?.length ?? 0) > 0,
    release: (name) => {
      released.add(name);
      for (const resolve of holds.get(name) ?? []) resolve();
      holds.delete(name);
    },
    handedOut: () => ({
      inputTokens: answers * (ANSWER_USAGE.input + ANSWER_USAGE.cached),
      outputTokens: answers * ANSWER_USAGE.output,
    }),
    handedOutCached: () => answers * ANSWER_USAGE.cached,
    countInLast: (text) => countIn(calls.at(-1)?.turns ?? [], text),
    isInLast: (text) => JSON.stringify(calls.at(-1)?.body ?? null).includes(text),
    close: () => end(server),
  };
}

function countIn(turns: ModelCall["turns"], text: string): number {
  return turns.filter((turn) => turn.by === "user").reduce((sum, turn) => sum + turn.text.split(text).length - 1, 0);
}

function keyOf({ headers }: IncomingMessage): string {
  const written = headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
  return String(written ?? "").replace(/^Bearer /, "");
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}

function end(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
