import { generateKeyPairSync, randomBytes, verify } from "node:crypto";
import { Hono } from "hono";
import type { App } from "./model.ts";
import { presentAccount } from "./present/account.ts";
import { findRepository, type World } from "./world.ts";

/** What a test needs of an App. */
export interface FakeApp {
  readonly id: string;
  /** As GitHub gives it: PKCS#1 in PEM. */
  readonly privateKey: string;
  readonly record: App;
}

const GRANTED = {
  metadata: "read",
  contents: "write",
  pull_requests: "write",
  issues: "write",
  actions: "write",
  checks: "read",
  statuses: "read",
};

interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
}

// Making keys is slow, and two Apps are the most that a test has to tell apart.
const made: Keys[] = [];

function keysFor(count: number): Keys {
  const keys =
    made[count % 2] ??
    generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
    });
  made[count % 2] = keys;
  return keys;
}

/** Registers an App, which acts as `slug[bot]`. */
export function createApp(
  world: World,
  slug: string,
  permissions: Readonly<Record<string, string>> = GRANTED,
): FakeApp {
  const { publicKey, privateKey } = keysFor(world.apps.size);
  const account = world.account(`${slug}[bot]`, "Bot");
  const record: App = {
    id: world.nextId(),
    account,
    publicKey,
    permissions,
    notIn: new Set(),
    installations: new Map(),
  };
  world.apps.set(record.id, record);
  return { id: String(record.id), privateKey, record };
}

/** The calls that an App makes with a signed statement instead of a token. */
export function createAppApi(world: World): (request: Request) => Promise<Response> | null {
  const api = new Hono();
  const problem = (status: 401 | 404, message: string): Response => Response.json({ message }, { status });
  api.get("/repos/:owner/:repo/installation", (call) => {
    const app = appOf(world, call.req.header("authorization"));
    if (app === null) return problem(401, "A JSON web token could not be decoded");
    const { owner, repo } = call.req.param();
    const isThere = findRepository(world, owner, repo) !== null && !app.notIn.has(repo);
    return isThere ? call.json(presentInstallation(world, app, owner)) : problem(404, "Not Found");
  });
  api.post("/app/installations/:id/access_tokens", async (call) => {
    const app = appOf(world, call.req.header("authorization"));
    if (app === null) return problem(401, "A JSON web token could not be decoded");
    const value = `ghs_fake${world.nextId()}${randomBytes(14).toString("hex")}`;
    const expiresAt = world.now() + 3_600_000;
    const { account, permissions } = app;
    const { repositories: names } = (await call.req.json().catch(() => ({}))) as { repositories?: readonly string[] };
    const owner = ownerOf(app, Number(call.req.param("id")));
    if (owner === null) return problem(404, "Not Found");
    const repositories = names?.flatMap((name) => findRepository(world, owner, name)?.id ?? []);
    const limits = { expiresAt, permissions, ...(repositories === undefined ? {} : { repositories }) };
    world.tokens.set(value, { value, account, scopes: [], isRevoked: false, ...limits });
    return call.json({ token: value, expires_at: new Date(expiresAt).toISOString(), permissions }, 201);
  });
  return (request) => {
    const { pathname } = new URL(request.url);
    return /^\/repos\/[^/]+\/[^/]+\/installation$|^\/app\//.test(pathname) ? Promise.resolve(api.fetch(request)) : null;
  };
}

function ownerOf({ installations }: App, id: number): string | null {
  return [...installations].find(([, known]) => known === id)?.[0] ?? null;
}

function presentInstallation(world: World, app: App, owner: string) {
  const id = app.installations.get(owner) ?? world.nextId();
  app.installations.set(owner, id);
  const at = new Date(world.now()).toISOString();
  const account = world.account(owner);
  return {
    id,
    app_id: app.id,
    app_slug: app.account.login.replace("[bot]", ""),
    account: presentAccount(world, account),
    target_id: account.id,
    target_type: account.type,
    permissions: app.permissions,
    events: [],
    repository_selection: "selected",
    access_tokens_url: `${world.url}/api/v3/app/installations/${id}/access_tokens`,
    repositories_url: `${world.url}/api/v3/installation/repositories`,
    html_url: `${world.url}/settings/installations/${id}`,
    single_file_name: null,
    created_at: at,
    updated_at: at,
    suspended_by: null,
    suspended_at: null,
  };
}

/** The App that signed a request, if its key fits and its time is right, as GitHub checks it. */
function appOf(world: World, authorization: string | undefined): App | null {
  const [head = "", body = "", signature = ""] = (authorization ?? "").replace(/^bearer /i, "").split(".");
  const { alg } = decode(head) as { alg?: string };
  const { iss, iat = 0, exp = 0 } = decode(body) as { iss?: string | number; iat?: number; exp?: number };
  const app = world.apps.get(Number(iss));
  if (app === undefined || alg !== "RS256") return null;
  const now = world.now() / 1000;
  if (iat > now || exp < now || exp - iat > 600) return null;
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${body}`),
    app.publicKey,
    Buffer.from(signature, "base64url"),
  );
  return isSigned ? app : null;
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return {};
  }
}
