import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { GithubAddress } from "./address.ts";
import type { Fetch } from "./transport.ts";

const Client = Octokit.plugin(paginateRest, retry, throttling);

export type GithubOctokit = InstanceType<typeof Client>;

/** Octokit for one GitHub; loaded only when a project uses it. */
export function createOctokit(address: GithubAddress, token: string, fetch: Fetch): GithubOctokit {
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  return new Client({
    auth: token,
    baseUrl: address.rest,
    userAgent: "ao",
    log: silent,
    request: { fetch, log: silent },
    // Failed reads are retried once here; the caller's own retries follow. Writes are only sent once.
    retry: { retries: 1, retryAfterBaseValue: 250 },
    throttle: {
      // github.com wants a second between writes; an Enterprise server sets its own limits.
      enabled: address.isPublic,
      id: address.host,
      // The engine waits, not the request: the error says for how long.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  });
}

function ignore(): void {}
