import { AoError, type ErrorCode } from "../../core/errors.ts";
import type { Api, Call } from "../../protocol/api.ts";
import type { HomePaths } from "../../protocol/home.ts";
import type { ProblemView } from "../../protocol/views/daemon.ts";
import { currentHome } from "./home.ts";
import { codeOf, exchange, isAbsent, isBroken } from "./http.ts";
import type { HttpAnswer } from "./parse-answer.ts";

export interface Client {
  readonly paths: HomePaths;
  call<C extends Call>(call: C, options?: CallOptions<C>): Promise<Api[C]["out"]>;
  /** Any request; the daemon's answer as it is, also when it is an error. */
  send(request: RawRequest): Promise<HttpAnswer>;
}

export interface CallOptions<C extends Call> {
  /** Values for the `:name` parts of the path. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query of a GET, body of anything else. */
  readonly input?: Api[C]["in"];
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

const READ_TIMEOUT_MS = 60_000;
/** A workspace may run the project's own set-up before the answer comes. */
const WRITE_TIMEOUT_MS = 15 * 60_000;

/** The daemon of this AO_HOME; it is started on first use unless `start` is false. */
export function connect(options: { readonly start?: boolean } = {}): Client {
  const paths = currentHome();
  const send = (request: RawRequest): Promise<HttpAnswer> => deliver(paths, request, options.start !== false);
  async function call<C extends Call>(name: C, callOptions: CallOptions<C> = {}): Promise<Api[C]["out"]> {
    return readAnswer(await send(buildRequest(name, callOptions.params ?? {}, callOptions.input))) as Api[C]["out"];
  }
  return { paths, call, send };
}

/** The request line and body of a call. */
export function buildRequest(call: Call, params: Readonly<Record<string, string>>, input: unknown): RawRequest {
  const [method = "GET", template = ""] = call.split(" ");
  const path = template.replace(/:([a-z]+)/g, (_, name: string) => pathPart(name, params[name] ?? ""));
  if (method === "GET") return { method, path: path + toQuery(input) };
  return { method, path, body: input === undefined ? undefined : JSON.stringify(input) };
}

/** An object as a query string, without what is not set. */
export function toQuery(input: unknown): string {
  const entries = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  const query = entries.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

/** The value of an answer, or its problem as an error. */
export function readAnswer(answer: HttpAnswer): unknown {
  const value = parseJson(answer.text);
  if (answer.status >= 200 && answer.status < 300 && value !== undefined) return value;
  const problem = value as Partial<ProblemView> | undefined;
  throw new AoError({
    code: (problem?.code as ErrorCode | undefined) ?? "internal",
    message: problem?.detail ?? problem?.title ?? `the daemon answered ${answer.status} without a reason`,
    hint: problem?.hint ?? undefined,
  });
}

/** Names that a URL would resolve away can never be an id. */
function pathPart(name: string, value: string): string {
  if (value !== "" && value !== "." && value !== "..") return encodeURIComponent(value);
  const code = name === "id" ? "session-unknown" : "not-found";
  throw new AoError({ code, message: `nothing is named ${JSON.stringify(value)}`, hint: "`ao list` shows the names." });
}

async function deliver(paths: HomePaths, request: RawRequest, mayStart: boolean): Promise<HttpAnswer> {
  const isWrite = request.method !== "GET";
  // The same key again, so that what a broken connection left half known is done once.
  const headers = isWrite ? { "idempotency-key": crypto.randomUUID() } : {};
  const timeoutMs = isWrite ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS;
  let hasStarted = false;
  let hasRetried = false;
  while (true) {
    try {
      return await exchange({ socket: paths.socket, ...request, headers, timeoutMs });
    } catch (cause) {
      if (isAbsent(cause) && isEnclosed()) {
        throw enclosed(cause);
      } else if (isAbsent(cause) && mayStart && !hasStarted) {
        hasStarted = true;
        const { startDaemon } = await import("./launch-daemon.ts");
        await startDaemon(paths);
      } else if (isBroken(cause) && !hasRetried) {
        hasRetried = true;
      } else {
        throw unreachable(paths, cause);
      }
    }
  }
}

// The daemon's folder is not there in an agent's sandbox; one that was started inside would know nothing of the others.
function isEnclosed(): boolean {
  const sandbox = process.env["AO_SANDBOX"];
  return sandbox !== undefined && sandbox !== "";
}

function enclosed(cause: unknown): AoError {
  return new AoError({
    code: "daemon-unreachable",
    message: "the daemon cannot be reached from inside of a sandbox",
    hint: "A person runs it, outside of the session.",
    cause,
  });
}

/** Why the daemon gave no answer. */
export function unreachable(paths: HomePaths, cause: unknown): AoError {
  if (isAbsent(cause)) {
    return new AoError({ code: "daemon-unreachable", message: "the daemon is not running", hint: "ao start", cause });
  }
  const code = codeOf(cause);
  const why =
    code === "EACCES" || code === "EPERM"
      ? `its socket ${paths.socket} belongs to another user`
      : code === "ETIMEDOUT"
        ? "it does not answer"
        : `${code ?? String(cause)} on ${paths.socket}`;
  const hint = `${paths.log} tells what it does; \`ao doctor\` checks the rest.`;
  return new AoError({ code: "daemon-unreachable", message: `the daemon cannot be reached: ${why}`, hint, cause });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
