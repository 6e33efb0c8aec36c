import type { ServerResponse } from "node:http";
import type { Step } from "./steps.ts";

/** What one model call asks for, whatever its API. */
export interface ModelCall {
  /** Texts of people, answers of the model and results of tools, in the order of the conversation. */
  readonly turns: readonly Turn[];
  readonly model: string;
  /** Without tools it is a side request, such as for a title. */
  readonly hasTools: boolean;
}

export interface Turn {
  readonly by: "user" | "model" | "tool";
  readonly text: string;
}

/** Tokens of one answer. */
export const ANSWER_USAGE = { input: 1000, cached: 200, output: 50 } as const;

/** One API that agents speak. */
export interface ModelApi {
  matches(path: string): boolean;
  read(body: unknown, path: string): ModelCall;
  answer(response: ServerResponse, body: unknown, step: Step): void;
  fail(response: ServerResponse, status: number): void;
}

/** A model that the service does not have, and how it says so with status 404. */
export const NO_MODEL = {
  name: "no-such-model",
  message: "The model `no-such-model` does not exist or you do not have access to it.",
  code: "model_not_found",
} as const;

const ERRORS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
};

/** A failure as OpenAI's APIs report it. */
export function failAsOpenAi(response: ServerResponse, status: number): void {
  const type = ERRORS[status] ?? "server_error";
  response.writeHead(status, { "content-type": "application/json" });
  const { message, code } = status === 404 ? NO_MODEL : { message: `scripted ${status}`, code: null };
  response.end(JSON.stringify({ error: { message, type, code } }));
}
