import { z } from "zod";
import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import { HttpError, type HttpRequest, type HttpResponse } from "../../ports/http.ts";
import { judgeConnection } from "../web/connection-failure.ts";
import { parseAnswer } from "../web/parse-answer.ts";
import type { GithubAddress, GithubRepository } from "./address.ts";
import { serverTime } from "./budget.ts";

/** writer: reads, pushes, opens and merges. reviewer: comments for the project's rules, under a name of its own. */
export type GithubRole = "writer" | "reviewer";

const PREFIX: Readonly<Record<GithubRole, string>> = { writer: "GITHUB_APP", reviewer: "GITHUB_REVIEWER_APP" };

export const APP_VARIABLES = [
  "GITHUB_APP_ID",
  "GITHUB_APP_PRIVATE_KEY",
  "GITHUB_APP_PRIVATE_KEY_FILE",
  "GITHUB_REVIEWER_APP_ID",
  "GITHUB_REVIEWER_APP_PRIVATE_KEY",
  "GITHUB_REVIEWER_APP_PRIVATE_KEY_FILE",
] as const;

/** A token ends after an hour; another one is made this long before, so that no request outlives it. */
const RENEW_MS = 5 * 60_000;

/** A GitHub App that `ao` is for one of its roles. */
export interface GithubApp {
  readonly id: string;
  readonly role: GithubRole;
}

/** What an App may do in one repository, for an hour. */
export interface InstallationToken {
  readonly value: string;
  /** When another one is needed, by the clock of this machine. */
  readonly until: number;
  /** What the App was granted: `contents: write`. */
  readonly permissions: Readonly<Record<string, string>>;
}

/** The App of a role, by its variables; null: none is set up for it. */
export function findApp(host: Host, role: GithubRole): GithubApp | null {
  const id = host.env[`${PREFIX[role]}_ID`]?.trim() ?? "";
  return id === "" ? null : { id, role };
}

interface Use {
  readonly host: Host;
  readonly address: GithubAddress;
  readonly app: GithubApp;
  readonly repository: GithubRepository;
}

const shared = new WeakMap<Host, Map<string, Promise<InstallationToken>>>();

/** A token of an App for one repository: the last one while it is good, else a new one. Kept in memory only. */
export async function installationToken(use: Use): Promise<InstallationToken> {
  const { host } = use;
  const ofHost = shared.get(host) ?? new Map<string, Promise<InstallationToken>>();
  shared.set(host, ofHost);
  const name = nameOf(use);
  const known = ofHost.get(name);
  if (known !== undefined) {
    const token = await known.catch(() => null);
    if (token !== null && host.clock.now() < token.until) return token;
    // Somebody else has asked for another one meanwhile.
    if (ofHost.get(name) !== known) return installationToken(use);
  }
  const made = makeToken(use);
  ofHost.set(name, made);
  return made;
}

/** A token that GitHub refused is not used again, although its hour is not over. */
export function dropInstallationToken(use: Use): void {
  shared.get(use.host)?.delete(nameOf(use));
}

function nameOf({ address, app, repository }: Use): string {
  return [address.rest, app.role, app.id, repository.owner, repository.repo].join(" ");
}

const Installation = z.object({ id: z.number() });
const Token = z.object({
  token: z.string(),
  expires_at: z.string(),
  permissions: z.record(z.string(), z.string()).nullish(),
});

async function makeToken(use: Use): Promise<InstallationToken> {
  const { host, address, app, repository } = use;
  const jwt = await signAsApp(host, app);
  const where = `/repos/${repository.owner}/${repository.repo}/installation`;
  const found = await ask(use, jwt, { method: "GET", url: `${address.rest}${where}` });
  if (found.status === 404) throw notInstalled(use);
  const { id } = parse(Installation, found, where);
  const path = `/app/installations/${id}/access_tokens`;
  // Of all repositories that the App is installed in, the token is for this one.
  const body = JSON.stringify({ repositories: [repository.repo] });
  const made = await ask(use, jwt, { method: "POST", url: `${address.rest}${path}`, body });
  const { token, expires_at, permissions } = parse(Token, made, path);
  const lastsMs = Date.parse(expires_at) - serverTime(made.headers, host.clock);
  return { value: token, until: host.clock.now() + lastsMs - RENEW_MS, permissions: permissions ?? {} };
}

async function signAsApp(host: Host, app: GithubApp): Promise<string> {
  const privateKey = await readKey(host, app);
  const { default: githubAppJwt } = await import("universal-github-app-jwt");
  try {
    return (await githubAppJwt({ id: app.id, privateKey, now: Math.floor(host.clock.now() / 1000) })).token;
  } catch {
    // What the library says may quote the key.
    throw refuse(`The private key of GitHub App ${app.id} cannot be read as a key.`, keyHint(app));
  }
}

async function readKey(host: Host, app: GithubApp): Promise<string> {
  const name = `${PREFIX[app.role]}_PRIVATE_KEY`;
  const written = host.env[name]?.trim() ?? "";
  if (written !== "") return written;
  const file = host.env[`${name}_FILE`]?.trim() ?? "";
  if (file === "") throw refuse(`GitHub App ${app.id} has no private key.`, keyHint(app));
  const text = await host.fs.readText(file).catch(() => null);
  if (text === null) throw refuse(`${name}_FILE names ${file}, which cannot be read.`, keyHint(app));
  return text;
}

function keyHint({ role }: GithubApp): string {
  const name = `${PREFIX[role]}_PRIVATE_KEY`;
  return `Set ${name}_FILE to the .pem file that GitHub gave you, or ${name} to its text, and run \`ao start\`.`;
}

async function ask(use: Use, jwt: string, request: HttpRequest): Promise<HttpResponse> {
  const headers = { authorization: `Bearer ${jwt}`, accept: "application/vnd.github+json", "user-agent": "ao" };
  const answer = await use.host.http({ ...request, headers, timeoutMs: 30_000 }).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw new PluginError({ plugin: "github", ...judgeConnection(error, false) });
  });
  if (answer.status < 400 || answer.status === 404) return answer;
  const { host } = use.address;
  if (answer.status === 401) {
    throw refuse(`${host} refused the private key of GitHub App ${use.app.id} (401).`, keyHint(use.app));
  }
  if (answer.status === 403 || answer.status === 422) {
    const hint = "Open the App's installation on GitHub: it may be suspended, or miss this repository.";
    throw refuse(`${host} gives GitHub App ${use.app.id} no token (${answer.status}).`, hint);
  }
  const message = `${host} could not make a token for GitHub App ${use.app.id} (${answer.status}).`;
  throw new PluginError({ plugin: "github", category: "unavailable", message });
}

function notInstalled({ address, app, repository }: Use): PluginError {
  const hint = `Install it there: ${address.web}/settings/apps, "Install App". \`ao doctor\` checks it.`;
  return refuse(`GitHub App ${app.id} is not installed in ${repository.owner}/${repository.repo}.`, hint);
}

function refuse(message: string, hint: string): PluginError {
  return new PluginError({ plugin: "github", category: "auth", message, hint });
}

function parse<T>(schema: z.ZodType<T>, { body }: HttpResponse, what: string): T {
  let data: unknown = null;
  try {
    data = JSON.parse(body);
  } catch {
    // The schema says what is wrong with it.
  }
  return parseAnswer(schema, data, { plugin: "github", vendor: "GitHub", what });
}
