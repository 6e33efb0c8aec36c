import { randomBytes } from "node:crypto";
import { AoError } from "../core/errors.ts";
import type { ReviewBody } from "../protocol/bodies/pull-request.ts";

/** A GitHub server for the demo; `src/testing/demo-github/start-demo-github.ts` starts one. */
export interface DemoForge {
  readonly url: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
  readonly reviewerToken: string;
  /** The secret of the webhook that the demo adds. */
  readonly secret: string;
}

/** Set by `npm start -- --forge github`, which starts the GitHub. */
const VARIABLE = "AO_DEMO_FORGE";
const REPORTED = ["pull_request", "pull_request_review", "check_run", "issues"];
const EVENTS = { approve: "APPROVE", "request-changes": "REQUEST_CHANGES", comment: "COMMENT" } as const;

/** The forge that the demo was started with; null: none. */
export function findForge(env: Readonly<Record<string, string | undefined>>): DemoForge | null {
  const written = env[VARIABLE];
  if (written === undefined || written === "") return null;
  return { ...(JSON.parse(written) as Omit<DemoForge, "secret">), secret: randomBytes(20).toString("hex") };
}

/** The environment of the demo's daemon, without the user's own accounts. */
export function forgeEnvironment({ token, secret }: DemoForge): Readonly<Record<string, string | undefined>> {
  return {
    [VARIABLE]: undefined,
    GH_TOKEN: undefined,
    GH_ENTERPRISE_TOKEN: undefined,
    GITHUB_TOKEN: token,
    GITHUB_WEBHOOK_SECRET: secret,
  };
}

/** Git settings for this forge; in the environment, because every user can read arguments. */
export function gitAccess({ url, token }: DemoForge): Readonly<Record<string, string>> {
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${url}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

/** Adds a webhook to the daemon, so that nobody waits for the next poll. */
export async function addWebhook(forge: DemoForge, daemonUrl: string): Promise<void> {
  const url = new URL("/api/webhooks/github", daemonUrl).href;
  const config = { url, content_type: "json", secret: forge.secret };
  await post(forge, forge.token, { path: "/hooks", body: { config, events: REPORTED } });
}

/** Reviews a pull request as another account, as a person would on the website. */
export async function reviewOnForge(forge: DemoForge, number: number, review: ReviewBody): Promise<void> {
  const { verdict, body = "", comments = [], head } = review;
  const placed = comments.map(({ path, line, text }) => ({ path, line, body: text }));
  await post(forge, forge.reviewerToken, {
    path: `/pulls/${number}/reviews`,
    body: { event: EVENTS[verdict], body, commit_id: head, comments: placed },
  });
}

async function post(
  { url, repository }: DemoForge,
  token: string,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<void> {
  const response = await fetch(`${url}/api/v3/repos/${repository}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  throw new AoError({ code: "conflict", message: `${url} answered ${response.status}: ${await response.text()}` });
}
