import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";

export const TOKEN_VARIABLES = ["JIRA_API_TOKEN", "JIRA_EMAIL", "JIRA_BASE_URL"] as const;

/** Atlassian's Jira Cloud, or a self-hosted Jira; they differ in API version, text format, paging and users. */
export type Deployment = "cloud" | "server";

export interface JiraAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly authorization: string;
  /** Where the token comes from, for people. */
  readonly source: string;
}

/** URL and credentials; with an e-mail address the token is a password, without one a bearer token. */
export function requireAccess(host: Host, baseUrl: string | undefined): JiraAccess {
  const read = (name: (typeof TOKEN_VARIABLES)[number]): string => host.env[name]?.trim() ?? "";
  const url = (baseUrl ?? read("JIRA_BASE_URL")).replace(/\/+$/, "");
  if (!URL.canParse(url)) {
    const hint = "Set `baseUrl` of the tracker or JIRA_BASE_URL, such as https://example.atlassian.net.";
    throw new PluginError({
      plugin: "jira",
      category: "config",
      message: "The address of your Jira is not set.",
      hint,
    });
  }
  const token = read("JIRA_API_TOKEN");
  if (token === "") {
    const hint = "Set JIRA_API_TOKEN (on Atlassian's cloud also JIRA_EMAIL), and run `ao start`.";
    throw new PluginError({ plugin: "jira", category: "auth", message: "There is no JIRA_API_TOKEN.", hint });
  }
  const email = read("JIRA_EMAIL");
  if (email === "") return { baseUrl: url, authorization: `Bearer ${token}`, source: "JIRA_API_TOKEN" };
  const pair = Buffer.from(`${email}:${token}`).toString("base64");
  return { baseUrl: url, authorization: `Basic ${pair}`, source: "JIRA_EMAIL and JIRA_API_TOKEN" };
}

/** The deployment, if the URL alone reveals it; null: ask the server. */
export function deploymentOf(baseUrl: string): Deployment | null {
  return /\.(?:atlassian\.net|jira\.com)$/.test(new URL(baseUrl).hostname) ? "cloud" : null;
}
