import { createHash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { z } from "zod";
import { tieKey } from "../core/command-key.ts";
import { AoError } from "../core/errors.ts";
import type { World } from "../core/world.ts";
import type { Call } from "../protocol/api.ts";
import { CALLS } from "../protocol/calls/all.ts";
import type { CallSpec } from "../protocol/calls/call.ts";
import type { App, AppEnv } from "./app.ts";
import { findSession } from "./find-session.ts";
import type { Handler, Handlers } from "./handler.ts";
import type { Metrics } from "./metrics.ts";
import { sendAnswer } from "./send-answer.ts";

type AppContext = Context<AppEnv>;

export interface RegisterOptions {
  readonly world: World;
  readonly metrics: Metrics;
}

/** A route for each call of the table: parses the input, and sends the handler's answer. */
export function registerCalls(app: App, handlers: Handlers, { world, metrics }: RegisterOptions): void {
  for (const call of Object.keys(CALLS) as Call[]) {
    const [method = "", path = ""] = call.split(" ");
    const spec: CallSpec = CALLS[call];
    // Each call has a handler for exactly its input, which the compiler cannot see through a lookup.
    const handler = handlers[call] as unknown as Handler<"POST /api/pause">;
    app.on(method, path, timed(call, metrics), async (c) => {
      let status: number = spec.status ?? 200;
      let version: string | null = null;
      const params = readParams(c, path, world);
      const body = spec.body === undefined ? undefined : await readBody(c, spec.body);
      const answer = await handler({
        params,
        query: (spec.query === undefined ? undefined : readQuery(c, spec.query)) as undefined,
        body: body as never,
        context: { key: readKey(c, () => JSON.stringify([call, params, body])) },
        principal: c.get("principal"),
        ifMatch: readIfMatch(c, spec),
        raw: {
          header: (name) => c.req.header(name),
          bytes: async () => new Uint8Array(await c.req.arrayBuffer()),
        },
        get signal() {
          return c.req.raw.signal;
        },
        setStatus: (other) => {
          status = other;
        },
        setVersion: (given) => {
          version = given;
        },
      });
      return sendAnswer(c, answer, { status, version });
    });
  }
}

// If a handler throws, its answer is in the context by the time this continues.
function timed(call: Call, metrics: Metrics): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const from = performance.now();
    await next();
    metrics.observe(call, c.res.status, (performance.now() - from) / 1000);
  };
}

// A key reused for another request is a client error, and must not be answered as if that request had been done.
function readKey(c: AppContext, describe: () => string): string | undefined {
  const key = c.req.header("idempotency-key");
  return key === undefined
    ? undefined
    : tieKey(key, createHash("sha256").update(describe()).digest("hex").slice(0, 16));
}

function readIfMatch(c: AppContext, spec: CallSpec): string | undefined {
  if (spec.ifMatch !== true) return undefined;
  const version = /^"(.*)"$/.exec(c.req.header("if-match")?.trim() ?? "")?.[1];
  if (version !== undefined) return version;
  throw new AoError({
    code: "usage",
    message: "Invalid input: If-Match: missing, or not in double quotes.",
    hint: "Read it first, and send its `version` back.",
  });
}

/** The query of a call, or an error that names the parameter. */
export function readQuery<Schema extends z.ZodObject>(c: Context, schema: Schema): z.output<Schema> {
  return parse(c.req.query(), schema, "query");
}

function readParams(c: AppContext, path: string, world: World): Record<string, string> {
  const params: Record<string, string> = c.req.param();
  if (!path.startsWith("/api/sessions/:id")) return params;
  return { ...params, id: findSession(world, params["id"] ?? "").id };
}

async function readBody(c: AppContext, schema: z.ZodObject): Promise<unknown> {
  const raw = await c.req.text();
  let value: unknown;
  try {
    value = raw.trim() === "" ? {} : JSON.parse(raw);
  } catch (cause) {
    throw new AoError({ code: "usage", message: "Invalid input: not JSON.", hint: "Send a JSON object.", cause });
  }
  return parse(value, schema, "body");
}

function parse<Schema extends z.ZodType>(value: unknown, schema: Schema, whole: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join(".") || whole}: ${message.replace(/^Invalid input: /, "")}`,
  );
  throw new AoError({
    code: "usage",
    message: `Invalid input: ${problems.join("; ")}.`,
    hint: "`ao api --help` shows how calls are written.",
  });
}
