import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ANSWER_USAGE, failAsOpenAi, type ModelApi, type ModelCall } from "./model-api.ts";
import type { Step } from "./steps.ts";

interface Body {
  readonly model: string;
  readonly tools?: readonly unknown[];
  readonly input: readonly {
    readonly type?: string;
    readonly role?: string;
    readonly content?: readonly { readonly text?: string }[];
    readonly output?: unknown;
  }[];
}

/** The Responses API, as far as Codex uses it: always as a stream. */
export const responsesApi: ModelApi = {
  matches: (path) => /\/v1\/responses(\?|$)/.test(path),
  read: (body) => read(body as Body),
  answer: (response, body, step) => answer(response, body as Body, step),
  fail: failAsOpenAi,
};

function read(body: Body): ModelCall {
  const turns = body.input.flatMap((item): ModelCall["turns"] => {
    const type = item.type ?? "message";
    if (type.endsWith("_call")) return [{ by: "model", text: "" }];
    if (type.endsWith("_output")) return [{ by: "tool", text: JSON.stringify(item.output ?? "") }];
    if (type !== "message") return [];
    const text = (item.content ?? []).map((part) => part.text ?? "").join("\n");
    if (item.role === "assistant") return [{ by: "model", text }];
    return item.role === "user" ? [{ by: "user", text }] : [];
  });
  return { turns, model: body.model, hasTools: (body.tools?.length ?? 0) > 0 };
}

function answer(response: ServerResponse, body: Body, step: Step): void {
  const item = itemOf(step);
  const input_tokens = ANSWER_USAGE.input + ANSWER_USAGE.cached;
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: ANSWER_USAGE.cached },
    output_tokens: ANSWER_USAGE.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + ANSWER_USAGE.output,
  };
  const base = { id: `resp_${randomUUID()}`, object: "response", created_at: 0, model: body.model };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send("response.created", { response: { ...base, status: "in_progress", output: [] } });
  send("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress", ...emptied(item) } });
  if (item.type === "message") {
    const delta = step.kind === "say" ? step.text : "";
    send("response.output_text.delta", { item_id: item.id, output_index: 0, content_index: 0, delta });
  }
  send("response.output_item.done", { output_index: 0, item });
  send("response.completed", { response: { ...base, status: "completed", output: [item], usage } });
  response.end();
}

interface OutputItem {
  readonly type: "message" | "function_call";
  readonly id: string;
}

function itemOf(step: Step): OutputItem {
  const id = randomUUID();
  if (step.kind === "run" || step.kind === "tool") {
    const call = step.kind === "run" ? { name: "exec_command", input: { cmd: step.command } } : step;
    const fields = { call_id: `call_${id}`, name: call.name, arguments: JSON.stringify(call.input) };
    return { type: "function_call", id: `fc_${id}`, ...fields };
  }
  const content = [{ type: "output_text", text: step.kind === "say" ? step.text : "", annotations: [] }];
  return { type: "message", id: `msg_${id}`, ...{ role: "assistant", status: "completed", content } };
}

function emptied({ type }: OutputItem): object {
  return type === "message" ? { content: [] } : { arguments: "" };
}
