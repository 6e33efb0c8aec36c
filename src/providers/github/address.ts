import { z } from "zod";

const SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]*";

/** `owner/name`, or the URL of the repository's page. */
export const RepositoryName = z
  .string()
  .regex(new RegExp(`^(?:https?://[^/]+/)?${SEGMENT}/${SEGMENT}?(?:\\.git)?/?$`), "expected owner/name");

/** The settings that everything on GitHub shares. */
export const GithubConfig = z.strictObject({
  repo: RepositoryName.describe("The repository: owner/name."),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of a GitHub Enterprise server, such as https://github.example.com; github.com when absent."),
});

/** The URLs of a GitHub instance. */
export interface GithubAddress {
  readonly host: string;
  readonly web: string;
  readonly rest: string;
  readonly graphql: string;
  /** github.com counts every request and asks clients to pace their writes. */
  readonly isPublic: boolean;
}

/** The URLs of github.com, or of an Enterprise server given by its web or API URL. */
export function addressOf(baseUrl: string | undefined): GithubAddress {
  const url = new URL(baseUrl ?? "https://github.com");
  const isPublic = ["github.com", "www.github.com", "api.github.com"].includes(url.hostname);
  if (isPublic) {
    const rest = "https://api.github.com";
    return { host: "github.com", web: "https://github.com", rest, graphql: `${rest}/graphql`, isPublic };
  }
  const web = url.origin;
  return { host: url.host, web, rest: `${web}/api/v3`, graphql: `${web}/api/graphql`, isPublic };
}

/** A repository on GitHub. */
export interface GithubRepository {
  readonly owner: string;
  readonly repo: string;
}

/** Owner and name of a repository, in any notation. */
export function repositoryOf(written: string): GithubRepository {
  const [owner = "", repo = ""] = written.replace(/^https?:\/\/[^/]+\//, "").split("/");
  return { owner, repo: repo.replace(/\.git$/, "") };
}
