import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";

export const TOKEN_VARIABLES = ["JIRA_API_TOKEN", "JIRA_EMAIL", "JIRA_BASE_URL"] as const;

/** Atlassian's own Jira, or one that a company runs itself; they differ in version, texts, pages and people. */
export type Deployment = "cloud" | "server";

export interface JiraAccess {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly authorization: string;
  /** What the token is of, for people. */
  readonly source: string;
}

/** Address and credentials; an e-mail address makes the token a password, alone it is a bearer's. */
export function requireAccess(host: Host, baseUrl: string | undefined): JiraAccess {
  const read = (name: (typeof TOKEN_VARIABLES)[number]): string => host.env[name]?.trim() ?? "";
  const url = (baseUrl ?? read("JIRA_BASE_URL")).replace(/\/+$/, "");
  if (!URL.canParse(url)) {
    const hint = "Set `baseUrl` of the tracker or JIRA_BASE_URL, such as https://example.atlassian.net.";
    throw new PluginError({ plugin: "jira", category: "config", message: "There is no address of a Jira.", hint });
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

/** What an address alone says of the deployment; null: the server must be asked. */
export function deploymentOf(baseUrl: string): Deployment | null {
  return /\.(?:atlassian\.net|jira\.com)$/.test(new URL(baseUrl).hostname) ? "cloud" : null;
}
