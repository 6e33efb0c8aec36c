import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ANSWER_USAGE, type ModelApi, type ModelCall, NO_MODEL } from "./model-api.ts";
import type { Step } from "./steps.ts";

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: string; readonly content?: unknown }[];
  }[];
}

/** The Messages API, as far as agents use it. */
export const anthropic: ModelApi = {
  matches: (path) => /\/v1\/messages(\?|$)/.test(path),
  read: (body) => read(body as Body),
  answer: (response, body, step) => answer(response, body as Body, step),
  fail: (response, status) => {
    const type = ERRORS[status] ?? "api_error";
    response.writeHead(status, { "content-type": "application/json" });
    const message = status === 404 ? `model: ${NO_MODEL.name}` : "scripted";
    response.end(JSON.stringify({ type: "error", error: { type, message } }));
  },
};

const ERRORS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function read(body: Body): ModelCall {
  const turns = body.messages.flatMap(({ role, content }): ModelCall["turns"] => {
    if (role === "assistant") return isMadeUp(content) ? [] : [{ by: "model", text: "" }];
    if (typeof content === "string") return [{ by: "user", text: content }];
    return content.map((block) =>
      block.type === "tool_result"
        ? { by: "tool", text: JSON.stringify(block.content ?? "") }
        : { by: "user", text: block.text ?? "" },
    );
  });
  return { turns, model: body.model, hasTools: (body.tools?.length ?? 0) > 0 };
}

// Inserted by the program where a conversation was cut off; the model never said it.
function isMadeUp(content: Body["messages"][number]["content"]): boolean {
  return JSON.stringify(content).includes('"No response requested."');
}

function answer(response: ServerResponse, body: Body, step: Step): void {
  const block = blockOf(step);
  const stop_reason = block.type === "tool_use" ? "tool_use" : "end_turn";
  const usage = {
    input_tokens: ANSWER_USAGE.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: ANSWER_USAGE.cached,
  };
  const message = {
    ...{ id: `msg_${randomUUID()}`, type: "message", role: "assistant", model: body.model },
    ...{ content: [] as unknown[], stop_reason: null as string | null, stop_sequence: null },
    usage: { ...usage, output_tokens: 1 },
  };
  if (body.stream !== true) {
    const whole = {
      ...message,
      content: [block],
      stop_reason,
      usage: { ...usage, output_tokens: ANSWER_USAGE.output },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send("message_start", { message });
  send("content_block_start", { index: 0, content_block: emptied(block) });
  send("content_block_delta", { index: 0, delta: deltaOf(block) });
  send("content_block_stop", { index: 0 });
  send("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: ANSWER_USAGE.output },
  });
  send("message_stop", {});
  response.end();
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

function blockOf(step: Step): Block {
  const id = `toolu_${randomUUID()}`;
  if (step.kind === "run") return { type: "tool_use", id, name: "Bash", input: { command: step.command } };
  if (step.kind === "tool") return { type: "tool_use", id, name: step.name, input: step.input };
  return { type: "text", text: step.kind === "say" ? step.text : "" };
}

function emptied(block: Block): Block {
  return block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
}

function deltaOf(block: Block): object {
  return block.type === "text"
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
}
