import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import type { ErrorCode } from "../core/errors.ts";
import { CALLS } from "../protocol/calls/all.ts";
import { type CallSpec, type Described, type StreamSpec, TAGS, type TextSpec } from "../protocol/calls/call.ts";
import { SOCKETS, STREAMS } from "../protocol/calls/streams.ts";
import { TEXTS } from "../protocol/calls/texts.ts";
import type { Scope } from "../protocol/choices.ts";
import { statusOf } from "../protocol/problem.ts";
import { ProblemView } from "../protocol/views/daemon.ts";

const PARAMETERS: Readonly<Record<string, string>> = {
  "sessions/:id": "A session: its id, a unique prefix of it, or its issue number.",
  "projects/:id": "A project's id.",
  ":project": "A project's id.",
  ":number": "The number of a pull request.",
  ":check": "The name of a check.",
  ":thread": "The id of a review thread.",
  ":issue": "An issue's id.",
  ":mid": "A message's id.",
  ":name": "The name of a token.",
  ":scm": "The kind of forge: github or gitlab.",
};

const KEY = z
  .string()
  .max(200)
  .exactOptional()
  .describe("The same key again gives the same answer and does nothing twice.");

const MATCH = z.string().describe("The version that was read, in double quotes; anything else is refused.");

const SCOPES: Readonly<Record<Scope, string>> = {
  read: "look at everything",
  operate: "work with sessions, pull requests and issues",
  admin: "administer ao: projects, tokens, shutdown",
};

/** The API as an OpenAPI 3.1 document. */
export function createOpenApi(): ReturnType<typeof createDocument> {
  const operations: (readonly [string, ZodOpenApiOperationObject])[] = [
    ...Object.entries<CallSpec>(CALLS).map(([call, spec]) => [call, describeCall(call, spec)] as const),
    ...Object.entries<StreamSpec>(STREAMS).map(([call, spec]) => [call, describeStream(call, spec)] as const),
    ...Object.entries<TextSpec>(TEXTS).map(([call, spec]) => [call, describeText(call, spec)] as const),
    ...Object.entries<StreamSpec>(SOCKETS).map(([call, spec]) => [call, describeSocket(call, spec)] as const),
  ];
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [call, operation] of operations) {
    const [method = "", path = ""] = call.split(" ");
    const at = path.replace(/:(\w+)/g, "{$1}");
    paths[at] = { ...paths[at], [method.toLowerCase()]: operation };
  }
  const document: ZodOpenApiObject = {
    openapi: "3.1.1",
    info: {
      title: "ao",
      version: "1",
      description:
        "Supervise a fleet of coding agents. Errors are problem details (RFC 9457) with a `code` for programs and a `hint` for people.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://localhost:3000", description: "This machine; `ao status` prints the port." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths as ZodOpenApiPathsObject,
    components: { securitySchemes: { token: describeToken() } },
  };
  return createDocument(document);
}

function describeToken() {
  const scopes = Object.entries(SCOPES).map(([scope, what]) => `\`${scope}\` (${what})`);
  return {
    type: "http",
    scheme: "bearer",
    description: `\`ao token\` prints one that may do everything; \`ao token create\` makes more. Scopes, each includes those before it: ${scopes.join(", ")}.`,
  } as const;
}

function describeCall(call: string, spec: CallSpec): ZodOpenApiOperationObject {
  return {
    ...describe(call, spec, spec.ifMatch === true ? { "if-match": MATCH } : {}),
    ...(spec.isSigned === true
      ? { requestBody: { content: { "application/json": { schema: z.looseObject({}) } } } }
      : {}),
    ...(spec.body === undefined
      ? {}
      : { requestBody: { content: { "application/json": { schema: spec.body } }, required: hasRequired(spec.body) } }),
    responses: {
      [spec.status ?? 200]: { description: "Done.", content: { "application/json": { schema: spec.answer } } },
      ...describeErrors(spec),
    },
  };
}

function describeStream(call: string, spec: StreamSpec): ZodOpenApiOperationObject {
  return {
    ...describe(call, spec),
    description: `Server-sent events. ${spec.delivery}`,
    responses: {
      200: { description: "The data of each event.", content: { "text/event-stream": { schema: spec.event } } },
      ...describeErrors(spec),
    },
  };
}

function describeText(call: string, spec: TextSpec): ZodOpenApiOperationObject {
  return {
    ...describe(call, spec),
    responses: {
      200: { description: "The text.", content: { [spec.media]: { schema: z.string() } } },
      ...describeErrors(spec),
    },
  };
}

function describeSocket(call: string, spec: StreamSpec): ZodOpenApiOperationObject {
  return {
    ...describe(call, spec),
    description: `A WebSocket. ${spec.delivery}`,
    responses: {
      200: {
        description: "The text frames, once the connection is a WebSocket (101).",
        content: { "application/json": { schema: spec.event } },
      },
      ...describeErrors(spec),
    },
  };
}

function describe(call: string, spec: Described, headers = {}): Omit<ZodOpenApiOperationObject, "responses"> {
  const [method = "", path = ""] = call.split(" ");
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return {
    operationId: operationId(method, path),
    summary: spec.summary,
    tags: [spec.tag],
    security: spec.scope === null ? [] : [{ token: [spec.scope] }],
    requestParams: {
      ...(names.length === 0
        ? {}
        : { path: z.object(Object.fromEntries(names.map((name) => [name, parameter(path, name)]))) }),
      ...(spec.query === undefined ? {} : { query: spec.query }),
      ...(method === "GET" ? {} : { header: z.object({ "idempotency-key": KEY, ...headers }) }),
    },
  };
}

function parameter(path: string, name: string): z.ZodString {
  const of = path.split("/").find((_, index, parts) => parts[index + 1] === `:${name}`);
  return z.string().describe(PARAMETERS[`${of}/:${name}`] ?? PARAMETERS[`:${name}`] ?? name);
}

/** `GET /api/sessions/:id/diff` becomes `getSessionsByIdDiff`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[/.-]/).filter((word) => word !== "" && word !== "api");
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const named = words.map((word) => (word.startsWith(":") ? `By${capital(word.slice(1))}` : capital(word)));
  return method.toLowerCase() + named.join("");
}

function describeErrors(spec: Described & { readonly body?: z.ZodObject }): ZodOpenApiResponsesObject {
  const codes: readonly ErrorCode[] = [
    ...(spec.query === undefined && spec.body === undefined ? [] : (["usage"] as const)),
    ...(spec.scope === null ? [] : (["unauthorized"] as const)),
    "forbidden",
    ...spec.errors,
    "internal",
  ];
  const statuses = new Set(codes.map(statusOf));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: codes.flatMap((code) => (statusOf(code) === status ? [`\`${code}\``] : [])).join(", "),
        content: { "application/problem+json": { schema: ProblemView } },
      },
    ]),
  );
}

function hasRequired(body: z.ZodObject): boolean {
  return !body.safeParse({}).success;
}
