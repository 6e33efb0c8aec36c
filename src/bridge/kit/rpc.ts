import { z } from "zod";

/** JSON-RPC 2.0 in lines, both ways. */
export interface Rpc {
  /** Sends a request and awaits the answer. Rejects with RpcError if it is an error or the connection closes. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Answers the other side's request, by its id. */
  respond(id: string | number, result: object): void;
  refuse(id: string | number, code: number, message: string): void;
  /** Handles an incoming line; false if it is not part of the protocol. */
  take(line: string): boolean;
  /** Everything still awaited fails with this reason. */
  close(reason: string): void;
}

/** A request from the other side. */
export interface Asked {
  /** The other side's own id for it. */
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
  respond(result: object): void;
  refuse(code: number, message: string): void;
}

/** An error from the other side. */
export interface ErrorAnswer {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export class RpcError extends Error implements ErrorAnswer {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

/** The code of an error that is not an answer: the connection is closed. An answer never has it. */
export const CLOSED = 0;
const INTERNAL_ERROR = -32603;
export const METHOD_NOT_FOUND = -32601;
export const AUTH_REQUIRED = -32000;

const Failure = z.looseObject({
  code: z.union([z.number(), z.string()]).catch(INTERNAL_ERROR),
  message: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
});

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

interface Waiting {
  resolve(result: unknown): void;
  reject(error: RpcError): void;
}

/** Creates one end of a connection. */
export function createRpc(options: {
  readonly send: (line: string) => void;
  readonly onNotice: (method: string, params: unknown) => void;
  readonly onAsked: (asked: Asked) => void;
}): Rpc {
  const waiting = new Map<number, Waiting>();
  let count = 0;
  let closed: string | null = null;
  const send = (message: object): void => options.send(JSON.stringify({ jsonrpc: "2.0", ...message }));

  const settle = (id: unknown, message: z.infer<typeof Message>): void => {
    const asked = typeof id === "number" ? waiting.get(id) : undefined;
    if (asked === undefined) return;
    waiting.delete(id as number);
    if (message.error == null) asked.resolve(message.result);
    else asked.reject(readError(message.error));
  };

  const respond: Rpc["respond"] = (id, result) => send({ id, result });
  const refuse: Rpc["refuse"] = (id, code, message) => send({ id, error: { code, message } });

  return {
    respond,
    refuse,
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (closed !== null) return reject(new RpcError(CLOSED, closed, null));
        count += 1;
        waiting.set(count, { resolve, reject });
        send({ id: count, method, params });
      }),
    notify: (method, params) => send({ method, params }),
    take: (line) => {
      const message = parse(line);
      if (message === null) return false;
      const { id, method, params } = message;
      if (method === undefined) settle(id, message);
      else if (id == null) options.onNotice(method, params);
      else {
        options.onAsked({
          id,
          method,
          params,
          respond: (result) => respond(id, result),
          refuse: (code, text) => refuse(id, code, text),
        });
      }
      return true;
    },
    close: (reason) => {
      closed = reason;
      const all = [...waiting.values()];
      waiting.clear();
      for (const { reject } of all) reject(new RpcError(CLOSED, reason, null));
    },
  };
}

// Agents also send errors without a number, and plain texts.
function readError(error: unknown): RpcError {
  const given = Failure.safeParse(error).data;
  if (given === undefined) {
    return new RpcError(INTERNAL_ERROR, typeof error === "string" ? error : JSON.stringify(error), null);
  }
  const { code, message, data } = given;
  const isUsable = typeof code === "number" && code !== CLOSED;
  return new RpcError(isUsable ? code : INTERNAL_ERROR, message ?? (typeof code === "string" ? code : ""), data);
}

// Some agents also print other things to standard output.
function parse(line: string): z.infer<typeof Message> | null {
  if (!line.trimStart().startsWith("{")) return null;
  try {
    return Message.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
