import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ANSWER_USAGE, type ModelApi, type ModelCall, NO_MODEL } from "./model-api.ts";
import { type OfferedTool, shellCall } from "./shell-tool.ts";
import type { Step } from "./steps.ts";

interface Body {
  readonly contents?: readonly {
    readonly role?: string;
    readonly parts?: readonly { readonly text?: string; readonly functionResponse?: object }[];
  }[];
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly {
      readonly name: string;
      readonly parametersJsonSchema?: object;
      readonly parameters?: object;
    }[];
  }[];
}

/** The Gemini API, as far as its own agent uses it: always as a stream. */
export const geminiApi: ModelApi = {
  matches: (path) => /:(streamG|g)enerateContent(\?|$)/.test(path),
  read: (body, path) => read(body as Body, path),
  answer: (response, body, step) => answer(response, body as Body, step),
  fail: (response, status) => {
    const name = { 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED" }[status] ?? "INTERNAL";
    const message =
      status === 404 ? `models/${NO_MODEL.name} is not found for API version v1beta` : `scripted ${status}`;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: status, message, status: name } }));
  },
};

function read(body: Body, path: string): ModelCall {
  const turns = (body.contents ?? []).flatMap(({ role, parts = [] }): ModelCall["turns"] => {
    if (role === "model") return [{ by: "model", text: "" }];
    const text = parts.flatMap((part) => part.text ?? []).join("\n");
    return [{ by: parts.some(({ functionResponse }) => functionResponse !== undefined) ? "tool" : "user", text }];
  });
  const [, model = ""] = /models\/([^:/]+):/.exec(path) ?? [];
  return { turns, model, hasTools: toolsOf(body).length > 0 };
}

function toolsOf(body: Body): readonly OfferedTool[] {
  return (body.tools ?? [])
    .flatMap(({ functionDeclarations }) => functionDeclarations ?? [])
    .map(({ name, parametersJsonSchema, parameters }) => ({ name, schema: parametersJsonSchema ?? parameters ?? {} }));
}

function answer(response: ServerResponse, body: Body, step: Step): void {
  const promptTokenCount = ANSWER_USAGE.input + ANSWER_USAGE.cached;
  const usageMetadata = {
    promptTokenCount,
    cachedContentTokenCount: ANSWER_USAGE.cached,
    candidatesTokenCount: ANSWER_USAGE.output,
    totalTokenCount: promptTokenCount + ANSWER_USAGE.output,
  };
  const candidates = [{ content: { role: "model", parts: [partOf(body, step)] }, finishReason: "STOP", index: 0 }];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify({ candidates, usageMetadata, modelVersion: "scripted" })}\n\n`);
}

function partOf(body: Body, step: Step): object {
  if (step.kind !== "run" && step.kind !== "tool") return { text: step.kind === "say" ? step.text : "" };
  const { name, input } = step.kind === "run" ? shellCall(toolsOf(body), step.command) : step;
  return { functionCall: { id: randomUUID(), name, args: input } };
}
