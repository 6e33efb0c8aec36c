import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ANSWER_USAGE, failAsOpenAi, type ModelApi, type ModelCall, type Turn } from "./model-api.ts";
import { type OfferedTool, shellCall } from "./shell-tool.ts";
import type { Step } from "./steps.ts";

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: object } }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content?: string | readonly { readonly text?: string }[] | null;
  }[];
}

/** The Chat Completions API, as far as agents use it. */
export const chat: ModelApi = {
  matches: (path) => /\/chat\/completions(\?|$)/.test(path),
  read: (body) => read(body as Body),
  answer: (response, body, step) => answer(response, body as Body, step),
  fail: failAsOpenAi,
};

const ROLES: Readonly<Record<string, Turn["by"]>> = { user: "user", assistant: "model", tool: "tool" };

function read(body: Body): ModelCall {
  const turns = body.messages.flatMap(({ role, content }): ModelCall["turns"] => {
    const by = ROLES[role];
    if (by === undefined) return [];
    const texts = typeof content === "string" ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);
    return [{ by, text: texts.join("\n") }];
  });
  return { turns, model: body.model, hasTools: (body.tools?.length ?? 0) > 0 };
}

function answer(response: ServerResponse, body: Body, step: Step): void {
  const base = { id: `chatcmpl-${randomUUID()}`, created: 0, model: body.model };
  const call = callOf(body, step);
  const content = step.kind === "say" ? step.text : "";
  const finish_reason = call === null ? "stop" : "tool_calls";
  const prompt_tokens = ANSWER_USAGE.input + ANSWER_USAGE.cached;
  const usage = {
    prompt_tokens,
    completion_tokens: ANSWER_USAGE.output,
    total_tokens: prompt_tokens + ANSWER_USAGE.output,
    prompt_tokens_details: { cached_tokens: ANSWER_USAGE.cached },
  };
  if (body.stream !== true) {
    const message = { role: "assistant", content, ...(call === null ? {} : { tool_calls: [call] }) };
    const choices = [{ index: 0, message, finish_reason }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...base, object: "chat.completion", choices, usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (data: object): void => void response.write(`data: ${JSON.stringify({ ...base, ...data })}\n\n`);
  const chunk = (delta: object, reason: string | null = null): void =>
    send({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] });
  chunk({ role: "assistant", content });
  if (call !== null) chunk({ tool_calls: [{ index: 0, ...call }] });
  chunk({}, finish_reason);
  send({ object: "chat.completion.chunk", choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function callOf(body: Body, step: Step): object | null {
  const tools = (body.tools ?? []).map(
    (tool): OfferedTool => ({ name: tool.function.name, schema: tool.function.parameters ?? {} }),
  );
  if (step.kind !== "run" && step.kind !== "tool") return null;
  const { name, input } = step.kind === "run" ? shellCall(tools, step.command) : step;
  return { id: `call_${randomUUID()}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
}
